// x + y by vectors, with a detour through bf16 that is exact for small integers, and a function of vectors.
module {
  aie.device(npu1_4col) {
    func.func private @twice(%x: vector<16xf32>) -> vector<16xf32> {
      %y = arith.addf %x, %x : vector<16xf32>
      func.return %y : vector<16xf32>
    }
    %shim_0 = aie.tile(0, 0)
    %core_0 = aie.tile(0, 2)
    aie.objectfifo @x(%shim_0, {%core_0}, 2 : i32) : !aie.objectfifo<memref<2x32xf32>>
    aie.objectfifo @y(%shim_0, {%core_0}, 2 : i32) : !aie.objectfifo<memref<2x32xf32>>
    aie.objectfifo @z(%core_0, {%shim_0}, 2 : i32) : !aie.objectfifo<memref<2x32xf32>>
    %narrow = aie.buffer(%core_0) {sym_name = "narrow"} : memref<32xbf16>
    %run_0 = aie.core(%core_0) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %half = arith.constant dense<0.5> : vector<16xf32>
      %pad = arith.constant 0.0 : f32
      %forever = arith.constant 9223372036854775807 : index
      scf.for %call = %c0 to %forever step %c1 {
        %hx = aie.objectfifo.acquire @x (Consume, 1) : !aie.objectfifosubview<memref<2x32xf32>>
        %x = aie.objectfifo.subview.access %hx[0] : !aie.objectfifosubview<memref<2x32xf32>> -> memref<2x32xf32>
        %hy = aie.objectfifo.acquire @y (Consume, 1) : !aie.objectfifosubview<memref<2x32xf32>>
        %y = aie.objectfifo.subview.access %hy[0] : !aie.objectfifosubview<memref<2x32xf32>> -> memref<2x32xf32>
        %hz = aie.objectfifo.acquire @z (Produce, 1) : !aie.objectfifosubview<memref<2x32xf32>>
        %z = aie.objectfifo.subview.access %hz[0] : !aie.objectfifosubview<memref<2x32xf32>> -> memref<2x32xf32>
        scf.for %i = %c0 to %c2 step %c1 {
          scf.for %j = %c0 to %c32 step %c16 {
            %a = vector.load %x[%i, %j] : memref<2x32xf32>, vector<16xf32>
            %t = arith.truncf %a : vector<16xf32> to vector<16xbf16>
            vector.store %t, %narrow[%j] : memref<32xbf16>, vector<16xbf16>
            %n = vector.load %narrow[%j] : memref<32xbf16>, vector<16xbf16>
            %m = arith.addf %n, %n : vector<16xbf16>
            %e = arith.extf %m : vector<16xbf16> to vector<16xf32>
            %b = vector.transfer_read %y[%i, %j], %pad {in_bounds = [true]} : memref<2x32xf32>, vector<16xf32>
            %d = func.call @twice(%b) : (vector<16xf32>) -> vector<16xf32>
            %s = arith.addf %e, %d : vector<16xf32>
            %r = arith.mulf %s, %half : vector<16xf32>
            vector.transfer_write %r, %z[%i, %j] {in_bounds = [true]} : vector<16xf32>, memref<2x32xf32>
          }
        }
        aie.objectfifo.release @x (Consume, 1)
        aie.objectfifo.release @y (Consume, 1)
        aie.objectfifo.release @z (Produce, 1)
      }
      aie.end
    }
    aiex.runtime_sequence @vector_add(%x: memref<128xf32>, %y: memref<128xf32>, %z: memref<128xf32>) {
      aiex.npu.dma_memcpy_nd (%z[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {metadata = @z, id = 0 : i64, issue_token = true} : memref<128xf32>
      aiex.npu.dma_memcpy_nd (%x[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {metadata = @x, id = 1 : i64} : memref<128xf32>
      aiex.npu.dma_memcpy_nd (%y[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {metadata = @y, id = 2 : i64} : memref<128xf32>
      aiex.npu.dma_wait {symbol = @z}
    }
  }
}
