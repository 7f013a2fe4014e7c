/** Reads bytes from front to back and throws where they end too early, so that a decoder needs no checks of its own. */
export type ByteReader = {
  u8: () => number;
  u32: () => number;
  u64: () => bigint;
  /** Solana's compact-u16: seven bits a byte, shortest form only. */
  shortLength: () => number;
  bytes: (length: number) => Uint8Array;
  position: () => number;
  left: () => number;
};

export function createByteReader(source: Uint8Array): ByteReader {
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  let position = 0;

  function take(length: number): number {
    if (position + length > source.length) throw new Error('the bytes end too early');
    position += length;
    return position - length;
  }

  function shortLength(): number {
    let value = 0;
    for (let index = 0; index < 3; index += 1) {
      const byte = view.getUint8(take(1));
      if (index > 0 && byte === 0) throw new Error('a length is not in its shortest form');
      value |= (byte & 0x7f) << (7 * index);
      if (byte < 0x80) {
        if (value > 0xffff) break;
        return value;
      }
    }
    throw new Error('a length does not fit 16 bits');
  }

  return {
    u8: () => view.getUint8(take(1)),
    u32: () => view.getUint32(take(4), true),
    u64: () => view.getBigUint64(take(8), true),
    shortLength,
    bytes: (length) => source.slice(take(length), position),
    position: () => position,
    left: () => source.length - position,
  };
}
