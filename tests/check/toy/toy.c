/* toy.c — a small target with a unit of every kind, all of it in order. Built with -DBREAK_x=1 it does one thing wrong,
 * which exactly the check `x` finds; each BREAK(x) below makes one such library. */
#include "htp/htp.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* 1 when BREAK_x is defined as 1, else 0; also where a constant is needed. */
#define BREAK(x) BREAK_VALUE(BREAK_##x)
#define BREAK_VALUE(value) BREAK_OF(value)
#define BREAK_OF(value) BREAK_IS(BREAK_ARGUMENT_##value)
#define BREAK_ARGUMENT_1 0,
#define BREAK_IS(arguments) BREAK_SECOND(arguments 1, 0, 0)
#define BREAK_SECOND(ignored, value, ...) value

#define constexpr static
#define nullptr NULL
#include "intrinsics.inc"

static htp_str str(const char *text) { return (htp_str){text, strlen(text)}; }

/* The text of a node, NUL-terminated, in `to`. */
static const char *text_of(const htp_host *host, htp_ctx *ctx, htp_node n, char *to, size_t size) {
  const htp_str s = host->unparse(ctx, n);
  const size_t length = s.size < size - 1 ? s.size : size - 1;
  if (s.data) memcpy(to, s.data, length);
  to[s.data ? length : 0] = '\0';
  return to;
}

static int is_name(const htp_store *s, htp_node n, const char *name) {
  if (htp_kind_of(s, n) != HTP_Name) return 0;
  const htp_str text = htp_text(s, HTP_FIELDS(Name, s, n)->id);
  return text.size == strlen(name) && memcmp(text.data, name, text.size) == 0;
}

static int is_call_of(const htp_store *s, htp_node n, const char *name) {
  return htp_kind_of(s, n) == HTP_Call && is_name(s, HTP_FIELDS(Call, s, n)->func, name);
}

static htp_status report(const htp_host *host, htp_ctx *ctx, uint32_t severity, const char *code, const char *message,
                         htp_node n) {
  htp_diagnostic d = {0};
  d.size = sizeof d;
  d.severity = severity;
  d.code = code;
  d.message = str(message);
  d.node = n;
  host->diag(ctx, &d);
  return HTP_FAILED;
}

/* The first node of the kind that the test accepts. */
static htp_node find(const htp_store *s, htp_node root, int (*test)(const htp_store *, htp_node)) {
  htp_walk w;
  htp_node found = HTP_NONE;
  htp_walk_begin(&w, s, root);
  for (htp_node n; !found && (n = htp_walk_next(&w)) != HTP_NONE;)
    if (test(s, n)) found = n;
  htp_walk_end(&w);
  return found;
}

/* `x = 1 + 2` */
static int is_sum(const htp_store *s, htp_node n) {
  const htp_node sum = htp_kind_of(s, n) == HTP_Assign ? HTP_FIELDS(Assign, s, n)->value : HTP_NONE;
  return htp_kind_of(s, sum) == HTP_BinOp && HTP_FIELDS(BinOp, s, sum)->op == HTP_Add &&
         htp_kind_of(s, HTP_FIELDS(BinOp, s, sum)->left) == HTP_Constant &&
         htp_kind_of(s, HTP_FIELDS(BinOp, s, sum)->right) == HTP_Constant;
}
static int is_pass(const htp_store *s, htp_node n) { return htp_kind_of(s, n) == HTP_Pass; }
static int is_while(const htp_store *s, htp_node n) { return htp_kind_of(s, n) == HTP_While; }
static int is_double(const htp_store *s, htp_node n) { return is_call_of(s, n, "double"); }

/* ── misbehaviour of any unit ─────────────────────────────────────────────────────────────────────────────────── */

static void *wait_for_ever(void *started) {
  sem_post(started);
  pause();
  return NULL;
}
static void on_signal(int signal) { (void)signal; }
#ifdef BREAK_contains_exceptions
void toy_throw(void);
#else
static void toy_throw(void) {}
#endif
static int calls_made;

static void conduct(const htp_host *host, htp_ctx *ctx) {
  (void)host, (void)ctx, (void)on_signal, (void)wait_for_ever;
  if (BREAK(survives)) *(volatile int *)(uintptr_t)8 = 1;
  if (BREAK(comes_to_an_end))
    for (;;) sleep(1);
  if (BREAK(leaves_the_process)) exit(3);
  if (BREAK(contains_exceptions)) toy_throw();
  if (BREAK(bearable_memory)) {
    char *volatile much = malloc((size_t)700 << 20);
    if (much) memset(much, 1, (size_t)700 << 20);
    free(much);
  }
  if (BREAK(endless_memory)) /* more than the process is left to take */
    for (char *more; (more = malloc((size_t)64 << 20)) != NULL;) memset(more, 1, (size_t)64 << 20);
  if (BREAK(quiet)) puts("here I am"), fflush(stdout);
  if (BREAK(closes_files) && open("/dev/null", O_RDONLY) < 0) abort();
  if (BREAK(ends_threads)) {
    static sem_t started; /* a process that forks while a thread begins may hang under AddressSanitizer */
    pthread_t thread;
    sem_init(&started, 0, 0);
    if (pthread_create(&thread, NULL, wait_for_ever, &started) == 0) sem_wait(&started);
  }
  if (BREAK(keeps_folder) && chdir("/") != 0) abort();
  if (BREAK(keeps_signals)) signal(SIGUSR1, on_signal);
  if (BREAK(keeps_locale))
    setlocale(LC_ALL, setlocale(LC_ALL, NULL)[0] == 'C' && !setlocale(LC_ALL, NULL)[1] ? "C.UTF-8" : "C");
  if (BREAK(keeps_environment)) setenv("TOY", "1", 1);
  if (BREAK(keeps_arithmetic)) fesetround(FE_UPWARD);
  if (BREAK(traps)) feenableexcept(FE_INVALID);
  if (BREAK(leaves_at_once)) _exit(0);
  if (BREAK(leaves_by_a_system_call)) syscall(SYS_exit_group, 0);
  if (BREAK(forks_once) && fork() < 0) abort();
  if (BREAK(forks_without_end))
    for (;;) fork();
  if (BREAK(leaves_a_daemon)) {
    const pid_t between = fork();
    if (between == 0) {
      setsid();
      if (fork() == 0)
        for (;;) pause();
      _exit(0);
    }
    waitpid(between, NULL, 0);
  }
  if (BREAK(stops_itself)) raise(SIGSTOP);
  if (BREAK(closes_all)) {
    for (int fd = 0; fd < 1024; ++fd) close(fd);
    for (;;) pause();
  }
  if (BREAK(kills_its_host)) kill(getppid(), SIGKILL), raise(SIGKILL);
  if (BREAK(keeps_host)) {
    mprotect((void *)((uintptr_t)host & ~(uintptr_t)4095), 4096, PROT_READ | PROT_WRITE);
    ((htp_host *)(uintptr_t)host)->environment = NULL;
  }
  if (BREAK(keeps_head)) ((htp_store *)(uintptr_t)host->store(ctx))->head.version++;
  if (BREAK(frees_memory)) {
    void *volatile kept = malloc(100);
    (void)kept;
  }
}

/* ── the passes ───────────────────────────────────────────────────────────────────────────────────────────────── */

/* The module with the entry's body replaced. */
static htp_node with_body(const htp_host *host, htp_ctx *ctx, htp_node root, htp_node function, const uint32_t *body,
                          uint32_t count) {
  const htp_store *s = host->store(ctx);
  const uint32_t fields = s->kinds[HTP_FunctionDef].field_count;
  uint32_t slots[16];
  memcpy(slots, s->slots + htp_at(s, function)->slots, fields * sizeof *slots);
  slots[HTP_FIELD(FunctionDef, body)] = host->list(ctx, body, count);
  const htp_node changed = host->with(ctx, function, slots, fields);
  if (!changed) return HTP_NONE;
  const uint32_t list = HTP_FIELDS(Module, s, root)->body;
  const uint32_t statements = htp_list_size(s, list);
  uint32_t *all = malloc((statements + 1) * sizeof *all);
  if (!all) return HTP_NONE;
  for (uint32_t i = 0; i < statements; ++i)
    all[i] = htp_list_items(s, list)[i] == function ? changed : htp_list_items(s, list)[i];
  const uint32_t module[] = {host->list(ctx, all, statements), HTP_FIELDS(Module, s, root)->type_ignores};
  free(all);
  return host->with(ctx, root, module, 2);
}

static htp_node entry_of(const htp_host *host, htp_ctx *ctx, htp_node root) {
  const htp_store *s = host->store(ctx);
  if (htp_kind_of(s, root) != HTP_Module) return HTP_NONE;
  const htp_str name = host->entry(ctx);
  const uint32_t list = HTP_FIELDS(Module, s, root)->body;
  for (uint32_t i = 0; i < htp_list_size(s, list); ++i) {
    const htp_node n = htp_list_items(s, list)[i];
    if (htp_kind_of(s, n) != HTP_FunctionDef) continue;
    const htp_str own = htp_text(s, HTP_FIELDS(FunctionDef, s, n)->name);
    if (own.size == name.size && memcmp(own.data, name.data, own.size) == 0) return n;
  }
  return HTP_NONE;
}

#define MOST 64
/* Drops `pass`, unless nothing else is left. */
static htp_status tidy(const htp_host *host, htp_ctx *ctx, htp_node root, htp_node *out) {
  const htp_store *s = host->store(ctx);
  const htp_node function = entry_of(host, ctx, root);
  uint32_t kept[MOST + 2];
  uint32_t count = 0;
  conduct(host, ctx);
  if (host->cancelled(ctx))
    return BREAK(answers_cancel) ? report(host, ctx, HTP_ERROR, "toy.stopped", "it was stopped", root) : HTP_CANCELLED;
  if (BREAK(own_codes)) report(host, ctx, HTP_NOTE, "toy.nobody-knows", "a word of nobody's", root);
  *out = root;
  if (!function) return report(host, ctx, HTP_ERROR, "toy.no-entry", "there is no entry", root);
  const uint32_t list = HTP_FIELDS(FunctionDef, s, function)->body;
  const uint32_t statements = htp_list_size(s, list);
  if (statements > MOST) return report(host, ctx, HTP_ERROR, "toy.no-entry", "the entry is too long", function);
  for (uint32_t i = 0; i < statements; ++i)
    if (!is_pass(s, htp_list_items(s, list)[i]) || BREAK(pass_provides)) kept[count++] = htp_list_items(s, list)[i];
  if (count == 0) return HTP_OK;
  if (BREAK(keeps_program)) ((htp_record *)(uintptr_t)htp_at(s, function))->end_col++;
  if (BREAK(pass_well_formed)) { /* a name with a dot, which reads back as an attribute */
    const uint32_t name[] = {host->string(ctx, str("htp.dim")), HTP_LOAD};
    const uint32_t value[] = {host->node(ctx, HTP_Name, name, 2, function)};
    kept[count++] = host->node(ctx, HTP_Expr, value, 1, function);
  }
  char text[64] = "";
  if (BREAK(pass_deterministic)) snprintf(text, sizeof text, "process = %d", (int)getpid());
  if (BREAK(stateless)) snprintf(text, sizeof text, "calls = %d", ++calls_made);
  if (BREAK(pass_origins)) snprintf(text, sizeof text, "made = 1");
  if (BREAK(pass_imports)) snprintf(text, sizeof text, "import socket");
  if (BREAK(pass_keeps)) snprintf(text, sizeof text, "total = 1 + 1");
  if (BREAK(pass_agrees)) snprintf(text, sizeof text, "out.data[0] = 7");
  if (BREAK(pass_idempotent)) snprintf(text, sizeof text, "more = %u", count);
  const htp_str program = host->unparse(ctx, root);
  if (*text && !memmem(program.data, program.size, text, strlen(text))) { /* once */
    const htp_node made = host->parse_body(ctx, str(text), BREAK(pass_origins) ? HTP_NONE : function);
    if (!made) return HTP_FAILED;
    s = host->store(ctx);
    kept[count++] = htp_list_items(s, HTP_FIELDS(Module, s, made)->body)[0];
  }
  if (count == statements && memcmp(kept, htp_list_items(s, list), count * sizeof *kept) == 0) return HTP_OK;
  *out = with_body(host, ctx, root, function, kept, count);
  return *out ? HTP_OK : HTP_FAILED;
}

/* Rewrites `y: int = double(x)` by its handler. */
static htp_status select_words(const htp_host *host, htp_ctx *ctx, htp_node root, htp_node *out) {
  const htp_store *s = host->store(ctx);
  const htp_node function = entry_of(host, ctx, root);
  uint32_t body[MOST * 4], count = 0;
  *out = root;
  if (host->cancelled(ctx)) return HTP_CANCELLED;
  if (!function) return report(host, ctx, HTP_ERROR, "toy.no-entry", "there is no entry", root);
  const uint32_t list = HTP_FIELDS(FunctionDef, s, function)->body;
  if (htp_list_size(s, list) > MOST) return report(host, ctx, HTP_ERROR, "toy.no-entry", "the entry is too long", root);
  for (uint32_t i = 0; i < htp_list_size(s, list); ++i) {
    s = host->store(ctx);
    const htp_node n = htp_list_items(s, list)[i];
    const htp_node call = htp_kind_of(s, n) == HTP_AnnAssign ? HTP_FIELDS(AnnAssign, s, n)->value : HTP_NONE;
    if (!call || !is_call_of(s, call, "double") || htp_list_size(s, HTP_FIELDS(Call, s, call)->args) != 1) {
      body[count++] = n;
      continue;
    }
    const htp_node type = HTP_FIELDS(AnnAssign, s, n)->annotation;
    const htp_node argument = htp_list_items(s, HTP_FIELDS(Call, s, call)->args)[0];
    if (!host->infer(ctx, str("toy.double"), call, &type, 1)) return HTP_FAILED;
    uint32_t index = 0;
    const htp_handlers *set = host->handler(ctx, str("toy.double"), str("toy"), &index);
    if (!set) {
      if (BREAK(survives_failures)) index = set->rows[0].intrinsic[0]; /* looked at nothing */
      return report(host, ctx, HTP_ERROR, "toy.no-handler", "nobody handles it", call);
    }
    const htp_handler_call given = {n, call, type, &argument, &type, 1, 0};
    const uint32_t made = set->rewrite(host, ctx, index, &given);
    if (!made) return HTP_FAILED;
    s = host->store(ctx);
    for (uint32_t k = 0; k < htp_list_size(s, made) && k < 3; ++k) body[count++] = htp_list_items(s, made)[k];
  }
  *out = with_body(host, ctx, root, function, body, count);
  if (!*out) return HTP_FAILED;
  if (BREAK(survives_changes) && count != 6) abort(); /* as many statements as its author's program has */
  return HTP_OK;
}

/* ── the island: `x = 1 + 2` ──────────────────────────────────────────────────────────────────────────────────── */

static int claims(const htp_host *host, htp_ctx *ctx, htp_node n) {
  const htp_store *s = host->store(ctx);
  char text[64];
  int a, b, end = 0;
  if (htp_kind_of(s, n) != HTP_Assign || htp_kind_of(s, HTP_FIELDS(Assign, s, n)->value) != HTP_BinOp) return 0;
  text_of(host, ctx, HTP_FIELDS(Assign, s, n)->value, text, sizeof text);
  return sscanf(text, "%6d + %6d%n", &a, &b, &end) == 2 && !text[end];
}
static htp_status leave(const htp_host *host, htp_ctx *ctx, htp_node region, htp_str *text) {
  *text = host->unparse(ctx, HTP_FIELDS(Assign, host->store(ctx), region)->value);
  return text->data ? HTP_OK : HTP_FAILED;
}
static htp_status transform(const htp_host *host, htp_ctx *ctx, htp_str text, htp_str *result) {
  char copy[64] = "", sum[64];
  int a = 0, b = 0;
  memcpy(copy, text.data, text.size < 63 ? text.size : 63);
  if (sscanf(copy, "%6d + %6d", &a, &b) != 2) return report(host, ctx, HTP_ERROR, "toy.no-sum", "this is no sum", 0);
  snprintf(sum, sizeof sum, "%d", a + b);
  const htp_node n = host->parse_expr(ctx, str(sum), HTP_NONE);
  if (!n) return HTP_FAILED;
  *result = host->unparse(ctx, n); /* text that lives until the callback ends */
  return result->data ? HTP_OK : HTP_FAILED;
}
static uint32_t enter(const htp_host *host, htp_ctx *ctx, htp_node region, htp_str text) {
  const htp_node value = host->parse_expr(ctx, text, region);
  if (!value) return 0;
  const htp_store *s = host->store(ctx);
  const uint32_t slots[] = {HTP_FIELDS(Assign, s, region)->targets, value, HTP_FIELDS(Assign, s, region)->type_comment};
  const uint32_t changed = host->with(ctx, region, slots, 3);
  return changed ? host->list(ctx, &changed, 1) : 0;
}

/* ── dialect, verifiers, analysis ─────────────────────────────────────────────────────────────────────────────── */

static htp_status check(const htp_host *host, htp_ctx *ctx, htp_node root) {
  const htp_store *s = host->store(ctx);
  const htp_node n = find(s, root, is_while);
  if (BREAK(survives_empty) && htp_list_size(s, HTP_FIELDS(Module, s, root)->body) == 0) abort();
  if (BREAK(survives_made_up) && find(s, root, is_pass) && !entry_of(host, ctx, root) &&
      htp_list_size(s, HTP_FIELDS(Module, s, root)->body) > 1)
    abort();
  if (BREAK(survives_unknown)) { /* a table that ends where the kinds of today do */
    htp_walk w;
    htp_walk_begin(&w, s, root);
    for (htp_node k; (k = htp_walk_next(&w)) != HTP_NONE;)
      if (htp_kind_of(s, k) >= HTP_KIND_LIMIT) abort();
    htp_walk_end(&w);
  }
  return n ? report(host, ctx, HTP_ERROR, "toy.no-while", "there is no `while` in toys", n) : HTP_OK;
}

static htp_status verify_none(const htp_host *host, htp_ctx *ctx, htp_node n) {
  if (!n) return HTP_OK;
  if (!BREAK(verifier_explains)) report(host, ctx, HTP_NOTE, "toy.not-held", "this breaks it", n);
  return HTP_FAILED;
}
static htp_status is_source(const htp_host *host, htp_ctx *ctx, htp_str term, htp_node root) {
  (void)term;
  const htp_node function = entry_of(host, ctx, root);
  if (BREAK(source_comes_to_an_end)) /* the verifier that is asked before any pass */
    for (;;) sleep(1);
  const htp_store *s = host->store(ctx);
  const uint32_t list = function ? HTP_FIELDS(FunctionDef, s, function)->decorator_list : 0;
  if (htp_list_size(s, list) == 1 && is_name(s, htp_list_items(s, list)[0], "entry")) return HTP_OK;
  return verify_none(host, ctx, function ? function : root);
}
static htp_status is_folded(const htp_host *host, htp_ctx *ctx, htp_str term, htp_node root) {
  (void)term;
  return verify_none(host, ctx, find(host->store(ctx), root, is_sum));
}
static htp_status is_tidy(const htp_host *host, htp_ctx *ctx, htp_str term, htp_node root) {
  (void)term;
  const htp_node function = entry_of(host, ctx, root);
  if (BREAK(verifier_deterministic)) {
    char text[64];
    snprintf(text, sizeof text, "asked by %d", (int)getpid());
    report(host, ctx, HTP_NOTE, "toy.not-held", text, root);
  }
  return verify_none(host, ctx, function ? find(host->store(ctx), function, is_pass) : root);
}
static htp_status is_ready(const htp_host *host, htp_ctx *ctx, htp_str term, htp_node root) {
  (void)term;
  if (BREAK(verifier_rejects)) return HTP_OK;
  const htp_node function = entry_of(host, ctx, root);
  return verify_none(host, ctx, function ? find(host->store(ctx), function, is_double) : root);
}

static htp_status count(const htp_host *host, htp_ctx *ctx, htp_node root, const htp_sink *sink) {
  const htp_store *s = host->store(ctx);
  htp_value value = {HTP_VALUE_INT, 0, {0}};
  value.u.i = htp_kind_of(s, root) == HTP_Module ? htp_list_size(s, HTP_FIELDS(Module, s, root)->body) : 0;
  if (BREAK(honest_status)) return HTP_FAILED;
  if (BREAK(analysis_deterministic)) value.u.i = getpid();
  if (BREAK(analysis_typed)) value.type = HTP_VALUE_FLOAT;
  if (root) sink->row(sink->to, root, &value);
  return HTP_OK;
}

/* ── intrinsics, handlers, layout ─────────────────────────────────────────────────────────────────────────────── */

static htp_node infer(const htp_host *host, htp_ctx *ctx, uint32_t index, htp_node call, const htp_node *types,
                      uint32_t n) {
  (void)index, (void)types, (void)n;
  if (BREAK(intrinsics_type)) {
    const htp_node statement = host->parse_body(ctx, str("pass"), call);
    return statement;
  }
  if (BREAK(intrinsics_deterministic)) {
    char text[64];
    snprintf(text, sizeof text, "Int[%d]", (int)getpid());
    return host->parse_expr(ctx, str(text), call);
  }
  return host->parse_expr(ctx, str("int"), call);
}

static uint32_t rewrite(const htp_host *host, htp_ctx *ctx, uint32_t index, const htp_handler_call *call) {
  (void)index;
  char target[64] = "", argument[64], text[200];
  const htp_store *s = host->store(ctx);
  if (htp_kind_of(s, call->statement) == HTP_AnnAssign)
    text_of(host, ctx, HTP_FIELDS(AnnAssign, s, call->statement)->target, target, sizeof target);
  text_of(host, ctx, call->arguments[0], argument, sizeof argument);
  if (!*target || !*argument) return report(host, ctx, HTP_ERROR, "toy.no-handler", "it binds no name", call->call), 0;
  snprintf(text, sizeof text, "%s: int = %s(%s, %s)", BREAK(handlers_bind_target) ? "other" : target,
           BREAK(handlers_in_target_set) ? "add(double(1), 1) + add" : "add", argument, argument);
  if (BREAK(handlers_deterministic))
    snprintf(text, sizeof text, "%s: int = add(%s, %d)", target, argument, (int)getpid());
  const htp_node made = host->parse_body(ctx, str(text), call->statement);
  return made ? HTP_FIELDS(Module, host->store(ctx), made)->body : 0;
}

static int strided_of(const htp_host *host, htp_ctx *ctx, htp_node layout, int *rows, int *columns) {
  char text[64];
  text_of(host, ctx, layout, text, sizeof text);
  const char *open = strchr(text, '(');
  if (open && sscanf(open, "(%6d, %6d)", rows, columns) == 2 && *rows > 0 && *columns > 0) return 1;
  report(host, ctx, HTP_ERROR, "toy.bad-layout", "this is no strided layout", layout);
  return 0;
}
static htp_node strided(const htp_host *host, htp_ctx *ctx, int rows, int columns, htp_node origin) {
  char text[64];
  snprintf(text, sizeof text, "strided(%d, %d)", rows, columns);
  return host->parse_expr(ctx, str(text), origin);
}
static htp_node canonical(const htp_host *host, htp_ctx *ctx, htp_node layout) {
  int rows, columns;
  if (!strided_of(host, ctx, layout, &rows, &columns)) return HTP_NONE;
  return strided(host, ctx, rows, BREAK(layout_canonical) ? columns + 1 : columns, layout);
}
static htp_node to_core(const htp_host *host, htp_ctx *ctx, htp_node layout) {
  int rows, columns;
  char text[128];
  if (!strided_of(host, ctx, layout, &rows, &columns)) return HTP_NONE;
  snprintf(text, sizeof text, "htp.layout(((%d, %d, 'm'), (%d, 1, 'n')))", rows, columns, columns);
  return host->parse_expr(ctx, str(text), layout);
}
static htp_node from_core(const htp_host *host, htp_ctx *ctx, htp_node core) {
  int rows = 0, stride = 0, columns = 0, end = 0;
  char text[128];
  text_of(host, ctx, core, text, sizeof text);
  const int read = sscanf(text, "htp.layout(((%6d, %6d, 'm'), (%6d, 1, 'n')))%n", &rows, &stride, &columns, &end);
  if (read != 3 || !end || text[end] || stride != columns) return HTP_NONE;
  return strided(host, ctx, BREAK(layout_round_trip) ? columns : rows, columns, core);
}
static htp_node join(const htp_host *host, htp_ctx *ctx, htp_node a, htp_node b) {
  int rows, columns, other_rows, other_columns;
  if (!strided_of(host, ctx, a, &rows, &columns) || !strided_of(host, ctx, b, &other_rows, &other_columns))
    return HTP_NONE;
  if (BREAK(layout_join)) return a;
  return rows == other_rows && columns == other_columns ? a : HTP_NONE;
}

/* ── backend, binding ─────────────────────────────────────────────────────────────────────────────────────────── */

static htp_status emit(const htp_host *host, htp_ctx *ctx, htp_node root) {
  char text[128] = "";
  if (BREAK(emit_files)) return HTP_OK;
  if (BREAK(emit_deterministic)) snprintf(text, sizeof text, "# made by %d\n", (int)getpid());
  if (*text && host->artifact(ctx, str("made.txt"), str("source"), str(text)) != HTP_OK) return HTP_FAILED;
  const htp_str program = host->unparse(ctx, root);
  return program.data ? host->artifact(ctx, str("main.txt"), str("source"), program) : HTP_FAILED;
}

static htp_status validate(const htp_host *host, htp_ctx *ctx) {
  htp_str bytes;
  if (BREAK(binding_accepts)) return report(host, ctx, HTP_ERROR, "toy.bad-package", "not today", 0);
  if (BREAK(binding_refuses)) return HTP_OK;
  if (host->read_file(ctx, str("codegen/toy/main.txt"), &bytes) != HTP_OK) return HTP_FAILED;
  if (!memmem(bytes.data, bytes.size, "def main", 8))
    return report(host, ctx, HTP_ERROR, "toy.bad-package", "main.txt has no `main`", 0);
  return HTP_OK;
}
static htp_status build(const htp_host *host, htp_ctx *ctx, htp_str *built) {
  (void)host, (void)ctx;
  *built = str(".");
  return HTP_OK;
}
static htp_status load(const htp_host *host, htp_ctx *ctx, htp_str built, void **loaded) {
  (void)host, (void)ctx, (void)built;
  *loaded = NULL;
  return HTP_OK;
}
static htp_status run(const htp_host *host, htp_ctx *ctx, void *loaded, htp_str entry, const htp_argument *arguments,
                      uint32_t n) {
  (void)host, (void)ctx, (void)loaded, (void)entry, (void)arguments, (void)n;
  return HTP_OK;
}
static htp_status trace(const htp_host *host, htp_ctx *ctx, void *loaded, htp_str entry, const htp_argument *arguments,
                        uint32_t n, const htp_trace_sink *sink) {
  (void)sink;
  return run(host, ctx, loaded, entry, arguments, n);
}
static void unload(void *loaded) { (void)loaded; }

/* ── the entry ────────────────────────────────────────────────────────────────────────────────────────────────── */

#define HEAD(type, layout)                                                                                             \
  { sizeof(type) + (BREAK(interfaces) ? 8 : 0), 1, layout }

static const char *const decorators[] = {BREAK(dialect_decorators) ? "start" : "entry", NULL};
static const htp_dialect dialect_unit = {HEAD(htp_dialect, HTP_LAYOUT_DIALECT),
                                         BREAK(dialect_module) ? "htp_game" : "htp_toy", decorators, check};
static const htp_intrinsics intrinsics_unit = {HEAD(htp_intrinsics, HTP_LAYOUT_INTRINSICS), intrinsic_rows,
                                               sizeof intrinsic_rows / sizeof *intrinsic_rows, 0,
                                               BREAK(members) ? NULL : infer};
static const htp_handler handler_rows[] = {{"toy.double", "toy"}};
static const htp_handlers handlers_unit = {HEAD(htp_handlers, HTP_LAYOUT_HANDLERS), handler_rows, 1, 0, rewrite};
static const htp_layout_facet layout_unit = {HEAD(htp_layout_facet, HTP_LAYOUT_LAYOUT_FACET),
                                             BREAK(layout_constructor) ? "htp_toy.banded" : "htp_toy.strided",
                                             BREAK(layout_facet) ? "distribution" : "memory",
                                             canonical,
                                             to_core,
                                             from_core,
                                             join};
static const htp_analysis analysis_unit = {HEAD(htp_analysis, HTP_LAYOUT_ANALYSIS), count};
static const htp_island island_unit = {
    HEAD(htp_island, HTP_LAYOUT_ISLAND), BREAK(island_suffix) ? "sum" : ".sum", claims, leave, transform, enter};
static const htp_pass tidy_unit = {HEAD(htp_pass, HTP_LAYOUT_PASS), tidy};
static const htp_pass select_unit = {HEAD(htp_pass, HTP_LAYOUT_PASS), select_words};
static const htp_verifier source_unit = {HEAD(htp_verifier, HTP_LAYOUT_VERIFIER), is_source};
static const htp_verifier folded_unit = {HEAD(htp_verifier, HTP_LAYOUT_VERIFIER), is_folded};
static const htp_verifier tidy_verifier_unit = {HEAD(htp_verifier, HTP_LAYOUT_VERIFIER), is_tidy};
static const htp_verifier ready_unit = {HEAD(htp_verifier, HTP_LAYOUT_VERIFIER), is_ready};
static const char *const target_set[] = {BREAK(target_set_of_game) ? "game.add"
                                         : BREAK(target_set)       ? "toy.sub"
                                                                   : "toy.add",
                                         NULL};
static const htp_backend backend_unit = {HEAD(htp_backend, HTP_LAYOUT_BACKEND), target_set, emit};
static const htp_binding binding_unit = {
    HEAD(htp_binding, HTP_LAYOUT_BINDING), validate, build, load, run, trace, unload, NULL, NULL};

static const htp_unit units[] = {
    {HTP_EXT_DIALECT, "toy.words", &dialect_unit},
    {HTP_EXT_INTRINSICS, "toy.intrinsics", &intrinsics_unit},
    {HTP_EXT_HANDLERS, "toy.handlers", &handlers_unit},
    {HTP_EXT_LAYOUT, "toy.strided", &layout_unit},
    {HTP_EXT_ANALYSIS, "toy.count", &analysis_unit},
    {HTP_EXT_ISLAND, "toy.fold", &island_unit},
    {BREAK(unit_kinds) ? "htp.pass/2" : HTP_EXT_PASS, "toy.tidy", &tidy_unit},
    {HTP_EXT_PASS, "toy.select", &select_unit},
    {HTP_EXT_VERIFIER, "toy.source", &source_unit},
    {HTP_EXT_VERIFIER, "toy.folded", &folded_unit},
    {HTP_EXT_VERIFIER, "toy.is-tidy", &tidy_verifier_unit},
    {HTP_EXT_VERIFIER, "toy.ready", &ready_unit},
    {HTP_EXT_BACKEND, "toy", &backend_unit},
    {HTP_EXT_BINDING, "toy.binding", &binding_unit},
#if BREAK(units_reached)
    {HTP_EXT_PASS, "toy.tidy-too", &tidy_unit},
#endif
#if BREAK(units_declared)
    {HTP_EXT_PASS, "toy.secret", &tidy_unit},
#endif
#if BREAK(entry_usable)
    {HTP_EXT_PASS, "toy.tidy", &tidy_unit},
#endif
};
static const htp_diag_info rows[] = {
    {BREAK(diagnostics_table) ? "acme.no-entry" : "toy.no-entry", HTP_ERROR, "there is no entry",
     "A program has an `@entry`."},
    {"toy.no-while", HTP_ERROR, "there is no `while` in toys", "Toys know no loops."},
    {"toy.not-held", HTP_NOTE, "this breaks it", "A state does not hold."},
    {"toy.no-sum", HTP_ERROR, "this is no sum", "The island adds integers."},
    {"toy.no-handler", HTP_ERROR, "nobody handles it", "A call needs a handler."},
    {"toy.bad-layout", HTP_ERROR, "this is no strided layout", "`strided(rows, columns)`."},
    {"toy.bad-package", HTP_ERROR, "the package is none of ours", "It lacks `main.txt`."},
    {"toy.stopped", HTP_ERROR, "it was stopped", "It was asked to."},
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

#if BREAK(survives_opening)
__attribute__((constructor)) static void at_opening(void) { abort(); }
#endif
#if BREAK(opens_in_time)
__attribute__((constructor)) static void at_opening(void) {
  for (;;) sleep(1);
}
#endif
#if BREAK(symbols)
void frobnicate(void);
__attribute__((constructor)) static void at_opening(void) {
  if (getpid() < 0) frobnicate();
}
#endif

#if BREAK(own_symbols)
extern void *_Znwm(size_t size); /* of the C++ library, which the host has and this does not link to */
void *toy_new(void);
void *toy_new(void) { return _Znwm(1); }
#endif
#ifdef BREAK_side /* with a library of its own, see fixtures.py */
int side(void);
int toy_side(void);
int toy_side(void) { return side(); }
#endif
#if BREAK(one_export)
HTP_EXPORT int toy_more(void);
int toy_more(void) { return 1; }
#endif
#if BREAK(thread_storage)
static __thread int kept __attribute__((tls_model("initial-exec")));
int toy_kept(void);
int toy_kept(void) { return ++kept; }
__attribute__((used)) static int (*const toy_keep)(void) = toy_kept;
#endif
#ifndef TOY_ID
#define TOY_ID "test.toy"
#endif
#if !BREAK(note)
HTP_NOTE_OF(TOY_ID, "1.0.0", HTP_ABI_MAJOR, HTP_ABI_MINOR, HTP_LAYOUT_ALL);
#endif
#if !BREAK(entry_exported)
HTP_EXTERN_C HTP_EXPORT const htp_entry htp_plugin_entry = {
    {sizeof(htp_entry), 1, BREAK(abi_layout) ? 0x1234 : HTP_LAYOUT_ALL},
    HTP_ABI_MAJOR - BREAK(abi_version),
    HTP_ABI_MINOR,
    TOY_ID,
    BREAK(identity) ? "2.0.0" : "1.0.0",
    units,
    COUNT(units),
    COUNT(rows),
    rows};
#endif
