"builtin.module"() ({
  "func.func"() <{function_type = (index, index, memref<?x?xf32>, memref<?x?xf32>) -> (), sym_name = "softmax"}> ({
  ^bb0(%arg0: index loc("<stdin>":1:20), %arg1: index loc("<stdin>":1:31), %arg2: memref<?x?xf32> loc("<stdin>":1:42), %arg3: memref<?x?xf32> loc("<stdin>":1:63)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc("=0")
    %1 = "arith.constant"() <{value = 8 : index}> : () -> index loc("=8")
    %2 = "arith.constant"() <{value = 0 : index}> : () -> index loc("<stdin>":4:10)
    %3 = "arith.constant"() <{value = 1 : index}> : () -> index loc("<stdin>":5:10)
    %4 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32 loc("=-1e309")
    %5 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32 loc("=0")
    "scf.for"(%0, %arg0, %1) ({
    ^bb0(%arg4: index loc("<stdin>":8:11)):
      %6 = "arith.subi"(%arg0, %arg4) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("1:")
      %7 = "arith.minsi"(%1, %6) : (index, index) -> index loc("1:i_n")
      %8 = "memref.alloc"(%arg1) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32> loc("2:e")
      "scf.for"(%2, %7, %3) ({
      ^bb0(%arg5: index loc("<stdin>":12:13)):
        %9 = "scf.for"(%2, %arg1, %3, %4) ({
        ^bb0(%arg9: index loc("<stdin>":13:31), %arg10: f32 loc("<stdin>":13:67)):
          %19 = "arith.addi"(%arg4, %arg5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("6:")
          %20 = "memref.load"(%arg2, %19, %arg9) : (memref<?x?xf32>, index, index) -> f32 loc("6:row")
          %21 = "arith.maximumf"(%arg10, %20) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("7:reduce_max")
          "scf.yield"(%21) : (f32) -> () loc("5:")
        }) {htp.loop = "htp.vectorized(_)"} : (index, index, index, f32) -> f32 loc("5:q,reduce_max")
        %10 = "scf.for"(%2, %arg1, %3, %5) ({
        ^bb0(%arg7: index loc("<stdin>":19:31), %arg8: f32 loc("<stdin>":19:69)):
          %14 = "arith.addi"(%arg4, %arg5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("10:")
          %15 = "memref.load"(%arg2, %14, %arg7) : (memref<?x?xf32>, index, index) -> f32 loc("10:row")
          %16 = "arith.subf"(%15, %9) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("11:sub")
          %17 = "math.exp"(%16) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32 loc("12:e_at")
          "memref.store"(%17, %8, %arg7) : (f32, memref<?xf32>, index) -> () loc("13:")
          %18 = "arith.addf"(%arg8, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("14:reduce_sum")
          "scf.yield"(%18) : (f32) -> () loc("9:")
        }) {htp.loop = "htp.vectorized(_)"} : (index, index, index, f32) -> f32 loc("9:q,reduce_sum")
        "scf.for"(%2, %arg1, %3) ({
        ^bb0(%arg6: index loc("<stdin>":28:15)):
          %11 = "memref.load"(%8, %arg6) : (memref<?xf32>, index) -> f32 loc("16:e_at")
          %12 = "arith.divf"(%11, %10) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("17:div")
          %13 = "arith.addi"(%arg4, %arg5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("18:")
          "memref.store"(%12, %arg3, %13, %arg6) : (f32, memref<?x?xf32>, index, index) -> () loc("18:")
          "scf.yield"() : () -> () loc("<stdin>":28:7)
        }) {htp.loop = "htp.vectorized(_)"} : (index, index, index) -> () loc("15:q")
        "scf.yield"() : () -> () loc("<stdin>":12:5)
      }) : (index, index, index) -> () loc("3:p")
      "scf.yield"() : () -> () loc("<stdin>":8:3)
    }) : (index, index, index) -> () loc("0:i_at")
    "func.return"() : () -> () loc("<stdin>":36:3)
  }) : () -> () loc("<stdin>":1:1)
}) : () -> () loc("<stdin>":0:0)
