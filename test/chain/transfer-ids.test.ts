import { describe, expect, test } from 'vitest';
import { createTransferIds } from '../../chain/transfer-ids.ts';
import { signedFact } from '../../core/observed.ts';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const idOf = createTransferIds(new Map([['base', key(1)]]));
const fact = signedFact('base', `0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(32)}`);
const source = { network: 'base', fact, line: 0 } as const;

describe('the id of what leaves for a line', () => {
  test('is the same in every process and every database, for ever', () => {
    expect(idOf(source)).toBe('bb9234594561ed3277b6b5e0023e0085');
    expect(createTransferIds(new Map([['base', key(1)]]))(source)).toBe(idOf(source));
  });

  test('differs for another line, another inbound transfer and another installation', () => {
    const other = createTransferIds(new Map([['base', key(2)]]));
    const ids = [idOf(source), idOf({ ...source, line: 1 }), idOf({ ...source, fact: `${fact}1` }), other(source)];
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  });

  test('differs for two networks whose treasury has one key', () => {
    const both = createTransferIds(new Map([['base', key(1)] as const, ['polygon', key(1)] as const]));
    expect(both({ ...source, network: 'polygon' })).not.toBe(both(source));
  });

  test('needs the key of the network that the money came in on', () => {
    expect(() => idOf({ ...source, network: 'solana' })).toThrow('treasury key of solana');
  });

  test.each([-1, 0.5])('is refused for line %d', (line) => {
    expect(() => idOf({ ...source, line })).toThrow('line');
  });

  test('is refused for a key of another length', () => {
    expect(() => createTransferIds(new Map([['base', new Uint8Array(31)]]))).toThrow('32 bytes, found 31');
  });
});
