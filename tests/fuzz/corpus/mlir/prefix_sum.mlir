"builtin.module"() ({
  "func.func"() <{function_type = (index, memref<?xf32>, memref<?xf32>) -> (), sym_name = "prefix_sum"}> ({
  ^bb0(%arg0: index loc("<stdin>":1:23), %arg1: memref<?xf32> loc("<stdin>":1:34), %arg2: memref<?xf32> loc("<stdin>":1:53)):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32 loc("=0")
    %1 = "arith.constant"() <{value = 0 : index}> : () -> index loc("=0")
    %2 = "arith.constant"() <{value = 16 : index}> : () -> index loc("=16")
    %3 = "arith.constant"() <{value = 0 : index}> : () -> index loc("<stdin>":5:10)
    %4 = "arith.constant"() <{value = 1 : index}> : () -> index loc("<stdin>":6:10)
    %5 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1xf32> loc("0:before")
    "memref.store"(%0, %5, %1) : (f32, memref<1xf32>, index) -> () loc("1:")
    "scf.for"(%1, %arg0, %2) ({
    ^bb0(%arg3: index loc("<stdin>":9:11)):
      %6 = "arith.subi"(%arg0, %arg3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("3:")
      %7 = "arith.minsi"(%2, %6) : (index, index) -> index loc("3:i_n")
      %8 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<16xf32> loc("4:scan_sum")
      %9 = "scf.for"(%3, %7, %4, %0) ({
      ^bb0(%arg6: index loc("<stdin>":13:31), %arg7: f32 loc("<stdin>":13:69)):
        %19 = "arith.addi"(%arg3, %arg6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("7:")
        %20 = "memref.load"(%arg1, %19) : (memref<?xf32>, index) -> f32 loc("7:x_tile")
        %21 = "arith.addf"(%arg7, %20) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("8:scan_sum_far")
        "memref.store"(%21, %8, %arg6) : (f32, memref<16xf32>, index) -> () loc("10:")
        "scf.yield"(%21) : (f32) -> () loc("6:")
      }) : (index, index, index, f32) -> f32 loc("6:p,scan_sum_far")
      %10 = "memref.load"(%5, %1) : (memref<1xf32>, index) -> f32 loc("12:before_at")
      %11 = "scf.for"(%3, %7, %4, %0) ({
      ^bb0(%arg4: index loc("<stdin>":21:29), %arg5: f32 loc("<stdin>":21:69)):
        %13 = "arith.addi"(%arg3, %arg4) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("14:")
        %14 = "memref.load"(%arg1, %13) : (memref<?xf32>, index) -> f32 loc("14:x_tile_1")
        %15 = "arith.addf"(%arg5, %14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("15:reduce_sum")
        %16 = "memref.load"(%8, %arg4) : (memref<16xf32>, index) -> f32 loc("16:scan_sum_at")
        %17 = "arith.addf"(%16, %10) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("17:add")
        %18 = "arith.addi"(%arg3, %arg4) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("18:")
        "memref.store"(%17, %arg2, %18) : (f32, memref<?xf32>, index) -> () loc("18:")
        "scf.yield"(%15) : (f32) -> () loc("13:")
      }) {htp.loop = "htp.vectorized(_)"} : (index, index, index, f32) -> f32 loc("13:p,reduce_sum")
      %12 = "arith.addf"(%10, %11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("19:before_at")
      "memref.store"(%12, %5, %1) : (f32, memref<1xf32>, index) -> () loc("20:")
      "scf.yield"() : () -> () loc("<stdin>":9:3)
    }) : (index, index, index) -> () loc("2:i_at")
    "func.return"() : () -> () loc("<stdin>":34:3)
  }) : () -> () loc("<stdin>":1:1)
}) : () -> () loc("<stdin>":0:0)
