"""Functions of the tile language that are written in it. In a compile the body of one stands where it is called, as that of a function of the
program does, so every target has it that has what it is made of.

The build takes this file as it stands: keep it to plain functions that name what they use through `htp` and `tile`."""

import htp
import htp_tile as tile


def reduce_var(x: htp.Floating, *, axis: int | tuple[int, ...]) -> htp.Floating:
    """The mean of the squares of what is left of x without its mean, along an axis, which stays with extent 1, or along several at once."""
    left = x - tile.reduce_mean(x, axis=axis)
    return tile.reduce_mean(left * left, axis=axis)


def complex_mul(a: htp.Floating, b: htp.Floating, c: htp.Floating, d: htp.Floating) -> tuple[htp.Floating, htp.Floating]:
    """(a + bi) * (c + di): its real and its imaginary part."""
    return a * c - b * d, a * d + b * c


def times_high(x: htp.u32, high: int, low: int) -> htp.u32:
    """The upper 32 bits of x times a number that is given in halves of 16 bits."""
    below = (x & 0xFFFF) * low
    left = (x >> 16) * low + (below >> 16)
    right = (x & 0xFFFF) * high + (left & 0xFFFF)
    return (x >> 16) * high + (left >> 16) + (right >> 16)


def philox_round(a: htp.u32, b: htp.u32, c: htp.u32, d: htp.u32, k: htp.u32, m: htp.u32) -> tuple[htp.u32, htp.u32, htp.u32, htp.u32]:
    """One round of Philox 4x32 with the key (k, m)."""
    first = times_high(a, 0xD251, 0x1F53)
    second = times_high(c, 0xCD9E, 0x8D57)
    return second ^ b ^ k, c * 0xCD9E8D57, first ^ d ^ m, a * 0xD2511F53


def philox(
    a: htp.u32, b: htp.u32 | int, c: htp.u32 | int, d: htp.u32 | int, k: htp.u32 | int, m: htp.u32 | int
) -> tuple[htp.u32, htp.u32, htp.u32, htp.u32]:
    """Philox 4x32-10: four random numbers for each counter (a, b, c, d), the same on every machine; (k, m) is the key. All but the first
    may be ints."""
    second = a & 0 | b
    third = second & 0 | c
    fourth = third & 0 | d
    key = fourth & 0 | k
    more = key & 0 | m
    none = more & 0  # of the extents of all
    key = none | key
    first, second, third, fourth = philox_round(none | a, none | second, none | third, none | fourth, key, more)
    first, second, third, fourth = philox_round(first, second, third, fourth, key + 0x9E3779B9, more + 0xBB67AE85)
    first, second, third, fourth = philox_round(first, second, third, fourth, key + 0x3C6EF372, more + 0x76CF5D0A)
    first, second, third, fourth = philox_round(first, second, third, fourth, key + 0xDAA66D2B, more + 0x32370B8F)
    first, second, third, fourth = philox_round(first, second, third, fourth, key + 0x78DDE6E4, more + 0xED9EBA14)
    first, second, third, fourth = philox_round(first, second, third, fourth, key + 0x1715609D, more + 0xA9066899)
    first, second, third, fourth = philox_round(first, second, third, fourth, key + 0xB54CDA56, more + 0x646E171E)
    first, second, third, fourth = philox_round(first, second, third, fourth, key + 0x5384540F, more + 0x1FD5C5A3)
    first, second, third, fourth = philox_round(first, second, third, fourth, key + 0xF1BBCDC8, more + 0xDB3D7428)
    first, second, third, fourth = philox_round(first, second, third, fourth, key + 0x8FF34781, more + 0x96A522AD)
    return first, second, third, fourth


def uniform(x: htp.u32) -> htp.f32:
    """A number from 0 on, below 1, of the upper 24 of 32 random bits."""
    return tile.cast(x >> 8, htp.f32) * 5.9604644775390625e-08
