"builtin.module"() ({
  "func.func"() <{function_type = (index, memref<?x100xf32>, memref<?x8xf32>, memref<?x8xi32>) -> (), sym_name = "topk"}> ({
  ^bb0(%arg0: index loc("<stdin>":1:17), %arg1: memref<?x100xf32> loc("<stdin>":1:28), %arg2: memref<?x8xf32> loc("<stdin>":1:51), %arg3: memref<?x8xi32> loc("<stdin>":1:77)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc("=0")
    %1 = "arith.constant"() <{value = 4 : index}> : () -> index loc("=4")
    %2 = "arith.constant"() <{value = 0 : index}> : () -> index loc("<stdin>":4:10)
    %3 = "arith.constant"() <{value = 1 : index}> : () -> index loc("<stdin>":5:10)
    %4 = "arith.constant"() <{value = 100 : index}> : () -> index loc("=100")
    %5 = "arith.constant"() <{value = 8 : index}> : () -> index loc("=8")
    "scf.for"(%0, %arg0, %1) ({
    ^bb0(%arg4: index loc("<stdin>":8:11)):
      %6 = "arith.subi"(%arg0, %arg4) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("1:")
      %7 = "arith.minsi"(%1, %6) : (index, index) -> index loc("1:i_n")
      %8 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<100xf32> loc("2:best_keys")
      %9 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8xi32> loc("3:best_order")
      %10 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8xi32> loc("4:best")
      %11 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8xf32> loc("5:gather")
      "scf.for"(%2, %7, %3) ({
      ^bb0(%arg5: index loc("<stdin>":15:13)):
        "scf.for"(%2, %4, %3) ({
        ^bb0(%arg9: index loc("<stdin>":16:15)):
          %21 = "arith.addi"(%arg4, %arg5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("8:")
          %22 = "memref.load"(%arg1, %21, %arg9) : (memref<?x100xf32>, index, index) -> f32 loc("8:best_keys_at")
          "memref.store"(%22, %8, %arg9) : (f32, memref<100xf32>, index) -> () loc("9:")
          "scf.yield"() : () -> () loc("<stdin>":16:7)
        }) {htp.loop = "htp.vectorized(_)"} : (index, index, index) -> () loc("7:q")
        "cpu.order"(%9, %8, %4, %5) {descending = true} : (memref<8xi32>, memref<100xf32>, index, index) -> () loc("10:")
        "scf.for"(%2, %5, %3) ({
        ^bb0(%arg8: index loc("<stdin>":22:15)):
          %20 = "memref.load"(%9, %arg8) : (memref<8xi32>, index) -> i32 loc("12:best_at")
          "memref.store"(%20, %10, %arg8) : (i32, memref<8xi32>, index) -> () loc("13:")
          "scf.yield"() : () -> () loc("<stdin>":22:7)
        }) {htp.loop = "htp.vectorized(_)"} : (index, index, index) -> () loc("11:q")
        "scf.for"(%2, %5, %3) ({
        ^bb0(%arg7: index loc("<stdin>":26:15)):
          %16 = "memref.load"(%10, %arg7) : (memref<8xi32>, index) -> i32 loc("15:best_at")
          %17 = "cpu.position"(%16, %4) : (i32, index) -> index loc("16:best_int")
          %18 = "arith.addi"(%arg4, %arg5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("17:")
          %19 = "memref.load"(%arg1, %18, %17) : (memref<?x100xf32>, index, index) -> f32 loc("17:gather_at")
          "memref.store"(%19, %11, %arg7) : (f32, memref<8xf32>, index) -> () loc("18:")
          "scf.yield"() : () -> () loc("<stdin>":26:7)
        }) : (index, index, index) -> () loc("14:q")
        "scf.for"(%2, %5, %3) ({
        ^bb0(%arg6: index loc("<stdin>":33:15)):
          %12 = "memref.load"(%10, %arg6) : (memref<8xi32>, index) -> i32 loc("20:best_at")
          %13 = "arith.addi"(%arg4, %arg5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("21:")
          "memref.store"(%12, %arg3, %13, %arg6) : (i32, memref<?x8xi32>, index, index) -> () loc("21:")
          %14 = "memref.load"(%11, %arg6) : (memref<8xf32>, index) -> f32 loc("22:gather_at")
          %15 = "arith.addi"(%arg4, %arg5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("23:")
          "memref.store"(%14, %arg2, %15, %arg6) : (f32, memref<?x8xf32>, index, index) -> () loc("23:")
          "scf.yield"() : () -> () loc("<stdin>":33:7)
        }) {htp.loop = "htp.vectorized(_)"} : (index, index, index) -> () loc("19:q")
        "scf.yield"() : () -> () loc("<stdin>":15:5)
      }) : (index, index, index) -> () loc("6:p")
      "scf.yield"() : () -> () loc("<stdin>":8:3)
    }) : (index, index, index) -> () loc("0:i_at")
    "func.return"() : () -> () loc("<stdin>":43:3)
  }) : () -> () loc("<stdin>":1:1)
}) : () -> () loc("<stdin>":0:0)
