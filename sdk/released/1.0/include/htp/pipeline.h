/* htp/pipeline.h — a pipeline is data in the manifest: an ordered list of pass names, checked by the planner, with gaps
 * filled where it may. This header only names the kind; a pipeline unit has no interface struct. */
#ifndef HTP_PIPELINE_H
#define HTP_PIPELINE_H
#include "htp/abi.h"
#define HTP_EXT_PIPELINE "htp.pipeline/1"
#endif
