#include "host/check/behaviour.h"

namespace htp {

namespace {

using enum CheckId;

const BehaviourGroup groups[] = {
    {{survives, comes_to_an_end, leaves_the_process, contains_exceptions, bearable_memory, honest_status, own_codes,
      quiet, closes_files, ends_threads, keeps_folder, keeps_signals, keeps_locale, keeps_environment, keeps_arithmetic,
      keeps_program, keeps_host},
     check_conduct},
    {{frees_memory}, check_memory},
    {{stateless}, check_stateless},
    {{pass_deterministic, analysis_deterministic, verifier_deterministic, handlers_deterministic,
      intrinsics_deterministic, emit_deterministic},
     check_same_everywhere},
    {{units_reached}, check_reached},
    {{analysis_typed}, check_analyses},
    {{verifier_rejects, verifier_explains}, check_verifiers},
    {{handlers_in_target_set, handlers_bind_target}, check_handlers},
    {{intrinsics_type}, check_inference},
    {{pass_well_formed, pass_provides, pass_keeps, pass_origins, pass_idempotent, pass_imports}, check_passes},
    {{pass_agrees}, check_agreement},
    {{layout_canonical, layout_round_trip, layout_join}, check_layouts},
    {{emit_files}, check_emitted},
    {{binding_accepts, binding_refuses}, check_binding},
    {{answers_cancel}, check_cancel},
    {{survives_empty}, check_empty},
    {{survives_unknown}, check_unknown},
    {{survives_failures}, check_failures},
    {{survives_made_up}, check_made_up},
    {{survives_changes}, check_changes},
};

} // namespace

std::span<const BehaviourGroup> behaviour_groups() { return groups; }

} // namespace htp
