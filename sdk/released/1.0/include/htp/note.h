/* htp/note.h — an ELF note that says which plugin a library is. The host reads it in the file, before any of the
 * library is mapped or run, and compares it with the manifest; a library without one is refused. HTP_PLUGIN(…) of
 * htp_cpp/plugin.h writes it; a plugin in C has, once, beside its htp_plugin_entry:
 *
 *   HTP_PLUGIN_NOTE("acme.fold", "1.0.0");
 *
 * Both are string literals, and those of the entry. The note is loaded with the code, so `strip` leaves it. */
#ifndef HTP_NOTE_H
#define HTP_NOTE_H
#include "htp/abi.h"
#include "htp/layout_hash.h"

#define HTP_NOTE_OWNER "HTP" /* the note's name                      */
#define HTP_NOTE_PLUGIN 1u   /* its type, and the form of what it says */

#ifdef __clang__ /* AddressSanitizer would put room between what must be one note */
#define HTP_NOTE_WHOLE no_sanitize("address"),
#else
#define HTP_NOTE_WHOLE
#endif

/* Little-endian words, then two texts, each with its NUL; zeros up to a multiple of four. */
#define HTP_NOTE_OF(id, plugin_version, abi_major_, abi_minor_, layout)                                                \
  __attribute__((HTP_NOTE_WHOLE used, section(".note.htp"), aligned(4))) static const struct {                         \
    uint32_t owner_size, size, type;                                                                                   \
    char owner[4];                                                                                                     \
    uint32_t abi_major, abi_minor, layout_low, layout_high;                                                            \
    char text[(sizeof(id) + sizeof(plugin_version) + 3) / 4 * 4];                                                      \
  } htp_plugin_note = {sizeof HTP_NOTE_OWNER,                                                                          \
                       16 + (sizeof(id) + sizeof(plugin_version) + 3) / 4 * 4,                                         \
                       HTP_NOTE_PLUGIN,                                                                                \
                       HTP_NOTE_OWNER,                                                                                 \
                       abi_major_,                                                                                     \
                       abi_minor_,                                                                                     \
                       (uint32_t)((layout)&0xffffffffu),                                                               \
                       (uint32_t)((uint64_t)(layout) >> 32),                                                           \
                       id "\0" plugin_version}

#define HTP_PLUGIN_NOTE(id, plugin_version)                                                                            \
  HTP_NOTE_OF(id, plugin_version, HTP_ABI_MAJOR, HTP_ABI_MINOR, HTP_LAYOUT_ALL)

#endif
