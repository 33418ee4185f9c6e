"""The instructions of Ascend's vector and cube cores (PTO), as the target set of a2a3: each writes its first operand.

The build reads the files beside this one that declare instructions and never runs them: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain
function with annotated parameters.

The typing rules, by the names in `rule=`. A column is a tile whose second extent is 1, a row one whose first is 1.

    tile      a tile of the named dtype
    gm        a tensor of the named dtype, in global memory
    load      a tensor at an index, to a tile of its dtype
    store     a tile, to a tensor at an index
    binary    two tiles of the target's dtype and extents
    scalar    a tile of the target's dtype and extents, and a number, on either side where that makes a difference
    unary     a tile of the target's dtype and extents
    fill      a number
    convert   a tile of another dtype
    rows      a tile, to a column with a number for each row; a tile of the same extents to work with
    columns   a tile, to a row with a number for each column
    spread    a tile of the target's extents, and a column or a row that counts for all of them; or that one alone
    move      a tile in another space, or a part of it
    product   an accumulator, a left and a right tile; a row in the bias table
    compare   a mask, and two tiles or a tile and a number of its extents
    select    a tile, a mask and two tiles or a tile and a number of its extents
    turn      a tile of the target's extents the other way round
    count     an int
    value     a tensor and an int for each of its dimensions, to an int
    fused     two tiles of the target's dtype and extents, or a tile and a number, and what the target holds
    places    a tile of any extents, and one of 32-bit indices of the target's extents; a tile like that to work with; or which columns, by the name of a pattern
    blocks    a tile, and one of the offsets of each 32 bytes
    scattered a tile, and one of indices of its extents, or which columns, by the name of a pattern
    padded    a tile within the target's extents
    table     a matrix in global memory, a tile of its rows, and a row of indices
    insert    a tile of L1, and an accumulator at a row and a column of it
    sorted    a row of pairs, value and index, of twice the columns of the tile of f32 that they are made of
    part      two tiles within the target's extents, one of them all of it
    beside    two tiles of the target's rows, whose columns together are the target's
    triangle  a diagonal, and "lower" or "upper"
    order     pipes, and an event: 0 to 7 between two pipes
"""

from htp import inf, whole
from htp_pto.elementwise import (
    tabs,
    tadd,
    tadds,
    tand,
    tands,
    taxpy,
    tcmp,
    tcmps,
    tcvt,
    tdiv,
    tdivs,
    texp,
    texpands,
    tfmod,
    tfmods,
    tfusedmuladd,
    tfusedmuladdrelu,
    tlog,
    tlrelu,
    tmax,
    tmaxs,
    tmin,
    tmins,
    tmul,
    tmuladddst,
    tmuls,
    tneg,
    tnot,
    tor,
    tors,
    tpow,
    tpows,
    tprelu,
    trecip,
    trelu,
    trem,
    trems,
    trsqrt,
    tsel,
    tsels,
    tshl,
    tshls,
    tshr,
    tshrs,
    tsqrt,
    tsub,
    tsubrelu,
    tsubs,
    txor,
    txors,
)
from htp_pto.lines import (
    tcolexpand,
    tcolexpandadd,
    tcolexpanddiv,
    tcolexpandexpdif,
    tcolexpandmax,
    tcolexpandmin,
    tcolexpandmul,
    tcolexpandsub,
    tcolmax,
    tcolmin,
    tcolprod,
    tcolsum,
    trowargmax,
    trowargmin,
    trowexpand,
    trowexpandadd,
    trowexpanddiv,
    trowexpandexpdif,
    trowexpandmax,
    trowexpandmin,
    trowexpandmul,
    trowexpandsub,
    trowmax,
    trowmin,
    trowprod,
    trowsum,
)
from htp_pto.memory import (
    gm,
    mgather,
    mscatter,
    textract,
    tile,
    tinsert,
    tload,
    tmov,
    tprefetch,
    tstore,
    tstore_fp,
    value,
)
from htp_pto.pipes import (
    drain,
    pipe_barrier,
    set_flag,
    wait_flag,
)
from htp_pto.products import (
    tgemv,
    tgemv_acc,
    tgemv_bias,
    tmatmul,
    tmatmul_acc,
    tmatmul_bias,
)
from htp_pto.rearrange import (
    tci,
    tconcat,
    tfillpad,
    tfillpad_expand,
    tfillpad_inplace,
    tgather,
    tgatherb,
    tmrgsort,
    tpartadd,
    tpartmax,
    tpartmin,
    tpartmul,
    tscatter,
    tsort32,
    ttrans,
    ttri,
)
from htp_pto.machine import aic, aiv, one_by_one, turns

__all__ = [
    "aic", "aiv", "drain", "gm", "inf", "mgather", "mscatter", "one_by_one", "pipe_barrier", "set_flag", "tabs", "tadd", "tadds", "tand", "tands", "taxpy", "tci", "tcmp", "tcmps", "tcolexpand", "tcolexpandadd", "tcolexpanddiv", "tcolexpandexpdif", "tcolexpandmax", "tcolexpandmin", "tcolexpandmul", "tcolexpandsub", "tcolmax", "tcolmin", "tcolprod", "tcolsum", "tconcat", "tcvt", "tdiv", "tdivs", "texp", "texpands", "textract", "tfillpad", "tfillpad_expand", "tfillpad_inplace", "tfmod", "tfmods", "tfusedmuladd", "tfusedmuladdrelu", "tgather", "tgatherb", "tgemv", "tgemv_acc", "tgemv_bias", "tile", "tinsert", "tload", "tlog", "tlrelu", "tmatmul", "tmatmul_acc", "tmatmul_bias", "tmax", "tmaxs", "tmin", "tmins", "tmov", "tmrgsort", "tmul", "tmuladddst", "tmuls", "tneg", "tnot", "tor", "tors", "tpartadd", "tpartmax", "tpartmin", "tpartmul", "tpow", "tpows", "tprefetch", "tprelu", "trecip", "trelu", "trem", "trems", "trowargmax", "trowargmin", "trowexpand", "trowexpandadd", "trowexpanddiv", "trowexpandexpdif", "trowexpandmax", "trowexpandmin", "trowexpandmul", "trowexpandsub", "trowmax", "trowmin", "trowprod", "trowsum", "trsqrt", "tscatter", "tsel", "tsels", "tshl", "tshls", "tshr", "tshrs", "tsort32", "tsqrt", "tstore", "tstore_fp", "tsub", "tsubrelu", "tsubs", "ttrans", "ttri", "turns", "txor", "txors", "value", "wait_flag", "whole",
]  # fmt: skip
