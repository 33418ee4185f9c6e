/* htp/htp.h — all of the SDK's C interface. */
#ifndef HTP_H
#define HTP_H
#include "htp/analysis.h"
#include "htp/backend.h"
#include "htp/binding.h"
#include "htp/dialect.h"
#include "htp/entry.h"
#include "htp/handlers.h"
#include "htp/intrinsics.h"
#include "htp/island.h"
#include "htp/layout.h"
#include "htp/layout_hash.h"
#include "htp/note.h"
#include "htp/pass.h"
#include "htp/pipeline.h"
#include "htp/verifier.h"
#include "htp/walk.h"
#endif
