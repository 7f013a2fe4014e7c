import { expect, test } from 'vitest';
import { ADMIN_ROLES, isAdminName, mayDo } from '../../../core/admins/admins.ts';

test('each role may do what the one before it may, and one thing more', () => {
  const rights = ADMIN_ROLES.map((role) => [
    role,
    ...(['look', 'act', 'admit'] as const).filter((right) => mayDo(role, right)),
  ]);
  expect(rights).toEqual([
    ['viewer', 'look'],
    ['operator', 'look', 'act'],
    ['owner', 'look', 'act', 'admit'],
  ]);
});

test.each(['', 'Ada', '1a', '-a', 'a b', 'a:b', 'a'.repeat(33), 'a\n'])('%j is no name', (name) => {
  expect(isAdminName(name)).toBe(false);
});

test.each(['a', 'ada-2', 'a'.repeat(32)])('%j is a name', (name) => {
  expect(isAdminName(name)).toBe(true);
});
