import htp
htp.stage(number=6, after='a2a3.drop_redundant_flags', holds=['Codegen.Ready(target=a2a3)'], then=[], entry='f', target='a2a3')
from htp import In, InOut, Out, bf16, bool_, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64
from htp_tile import Tensor, kernel
import htp_pto as pto


@kernel
def f(x: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, 64, 64]], p: In[Tensor[f32, 4]], q: In[Tensor[f32, 4, 4, 64]], r: InOut[Tensor[i32, 16, 64]]) -> None:
    with pto.aiv():
        t = pto.tile(f32, 64, 64, valid=(64, 64), at=0)
        pto.tload(t, x, slice(0, 64), slice(0, 64))
        pto.pipe_barrier('ALL')

#: a pipe that there is not
        pto.set_flag('MTE5', 'V', 0)
#> 1:22 error a2a3.unknown-pipe: `'MTE5'` is not a pipe
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose one of 'MTE2', 'MTE1', 'M', 'FIX', 'V', 'MTE3', 'S'

#: a pipe
        pto.set_flag('MTE2', 'V', 0)
        pto.wait_flag('MTE2', 'V', 0)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: an event that there is not
        pto.set_flag('MTE2', 'V', 9)
#> 1:35 error a2a3.event: `9` is not an event from 0 to 7
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write one of these, or a number and the turn of a loop around: `2 + turn`

#: an event
        pto.set_flag('MTE2', 'V', 7)
        pto.wait_flag('MTE2', 'V', 7)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a flag without event
        pto.set_flag('MTE2', 'V')
#> 1:9 error a2a3.operand-count: `pto.set_flag`: 3 operands expected, 2 given
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give two pipes and an event: `pto.set_flag('MTE2', 'V', 0)`

#: a flag with an event
        pto.set_flag('MTE2', 'V', 1)
        pto.wait_flag('MTE2', 'V', 1)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a barrier without a pipe
        pto.pipe_barrier()
#> 1:9 error a2a3.operand-count: `pto.pipe_barrier`: 1 operands expected, 0 given
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give a pipe, `pto.pipe_barrier('V')`, or `'ALL'` for all of them

#: a flag that nothing waits for
        pto.set_flag('MTE2', 'V', 0)
        pto.drain()
#> 1:9 error a2a3.flag-left: the flag 0 from MTE2 to V is set, and nothing waits for it before the kernel ends
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: take line 15, `pto.set_flag('MTE2', 'V', 0)`, out

#: a flag that something waits for
        pto.set_flag('MTE2', 'V', 0)
        pto.wait_flag('MTE2', 'V', 0)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a flag that nothing sets
        pto.wait_flag('MTE2', 'V', 0)
        pto.drain()
#> 1:9 error a2a3.flag-unset: the flag 0 from MTE2 to V is waited for, and nothing sets it
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: take line 15, `pto.wait_flag('MTE2', 'V', 0)`, out

#: a flag that something sets
        pto.set_flag('MTE2', 'V', 0)
        pto.wait_flag('MTE2', 'V', 0)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a flag that is set twice
        pto.set_flag('MTE2', 'V', 0)
        pto.set_flag('MTE2', 'V', 0)
        pto.wait_flag('MTE2', 'V', 0)
        pto.drain()
#> 2:9 error a2a3.flag-again: the flag 0 from MTE2 to V is set again before the wait for it is over
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: take line 16, `pto.set_flag('MTE2', 'V', 0)`, out

#: a flag that is set once
        pto.set_flag('MTE2', 'V', 0)
        pto.wait_flag('MTE2', 'V', 0)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a flag of the runtime
        pto.set_flag('MTE2', 'S', 7)
        pto.wait_flag('MTE2', 'S', 7)
        pto.drain()
#> 1:9 error a2a3.flag-reserved: the flag 7 from MTE2 to S is the runtime's own
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: take another event: 0 to 6 from MTE2 to S

#: another flag
        pto.set_flag('MTE2', 'S', 6)
        pto.wait_flag('MTE2', 'S', 6)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a flag of one way
        for k in range(3):
            if k == 0:
                pto.set_flag('MTE2', 'V', 0)
            pto.texp(t, t)
        pto.drain()
#> 2:13 error a2a3.flag-branch: the flag 0 from MTE2 to V is set or waited for in one way of a branch alone
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.wait_flag('MTE2', 'V', 0)` before what V does next, in the same loops

#: a flag that goes nowhere
        for k in range(3):
            if k == 0:
                pto.set_flag('MTE2', 'V', 0)
                pto.wait_flag('MTE2', 'V', 0)
                pto.pipe_barrier('ALL')
            pto.pipe_barrier('V')
            pto.texp(t, t)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: an order that nothing keeps
        pto.tstore(y, t, slice(0, 64), slice(0, 64))
        pto.texp(t, t)
        pto.drain()
#> 2:9 error a2a3.unordered: `pto.texp` on V is not ordered behind what MTE3 does before, and both access bytes of the unified buffer
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.set_flag('MTE3', 'V', 0)` behind line 15, `pto.tstore(y, t, slice(0, 64), slice(0, 64))` and `pto.wait_flag('MTE3', 'V', 0)` before line 16, `pto.texp(t, t)`

#: an order by a barrier
        pto.tstore(y, t, slice(0, 64), slice(0, 64))
        pto.pipe_barrier('ALL')
        pto.texp(t, t)
        pto.pipe_barrier('ALL')
        pto.drain()
#> compiles

#: a store of a tensor that is loaded
        pto.tstore(y, t, slice(0, 64), slice(0, 64))
        pto.pipe_barrier('MTE3')
        pto.tload(t, y, slice(0, 64), slice(0, 64))
        pto.drain()
#> 3:9 error a2a3.unordered: `pto.tload` on MTE2 is not ordered behind what MTE3 does before, and both access bytes of `y`
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.set_flag('MTE3', 'MTE2', 0)` behind line 15, `pto.tstore(y, t, slice(0, 64), slice(0, 64))` and `pto.wait_flag('MTE3', 'MTE2', 0)` before line 17, `pto.tload(t, y, slice(0, 64), slice(0, 64))`

#: stores that have not left
        pto.tstore(y, t, slice(0, 64), slice(0, 64))
#> -4:5 error a2a3.undrained: the kernel ends before what it stores has left
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.drain()` as the kernel's last statement

#: stores that have left
        pto.tstore(y, t, slice(0, 64), slice(0, 64))
        pto.drain()
#> compiles

#: a wait behind the drain
        pto.set_flag('MTE2', 'V', 0)
        pto.drain()
        pto.wait_flag('MTE2', 'V', 0)
#> -4:5 error a2a3.undrained: the kernel ends before what it stores has left
#>   note: this stage says `Codegen.Ready(target=a2a3)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `pto.drain()` as the kernel's last statement
