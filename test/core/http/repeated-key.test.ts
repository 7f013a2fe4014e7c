import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRepeatedKey } from '../../../core/http/repeated-key.ts';

test.each<[string, string | null]>([
  ['{"receiver":"mallory","receiver":"alice"}', 'receiver'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a":{"b":1},"b":{"b":2}}', null],
  ['{"a":{"b":1,"c":[],"b":2}}', 'b'],
  ['[{"a":1},{"a":2}]', null],
  ['[{"a":1,"x":[{"a":1}],"a" : 2}]', 'a'],
  ['{"a":"b","b":"a"}', null],
  ['{"a":"{\\"a\\":1","b":"\\"a\\":"}', null],
  ['{"a\\\\":1,"a":2}', null],
  ['{"":1,"":2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['"a"', null],
])('%s: %s', (json, key) => {
  expect(findRepeatedKey(json)).toBe(key);
});

test('a value that a program has written repeats no key; with one key written twice it does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string(), (value, key) => {
      expect(findRepeatedKey(JSON.stringify(value, null, 1))).toBeNull();
      const name = JSON.stringify(key);
      expect(findRepeatedKey(`[{${name}:${JSON.stringify(value)},${name}:0}]`)).toBe(key);
    }),
  );
});
