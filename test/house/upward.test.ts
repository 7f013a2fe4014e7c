import { expect, test } from 'vitest';
import { findUpward } from '../../scripts/house/upward.ts';

test('the order of a cycle has the fewest imports upward, and names them', () => {
  const imports = [
    arrow('api/a.ts', 'db/a.ts'),
    arrow('api/b.ts', 'db/a.ts'),
    arrow('db/a.ts', 'core/a.ts'),
    arrow('db/b.ts', 'core/b.ts'),
    arrow('core/b.ts', 'core/a.ts'),
    arrow('core/a.ts', 'api/b.ts'),
    arrow('cli/a.ts', 'core/a.ts'),
  ];
  expect(findUpward(imports)).toEqual([{ order: ['api', 'db', 'core'], imports: [arrow('core/a.ts', 'api/b.ts')] }]);
});

test('without a cycle there is nothing to order', () => {
  expect(findUpward([arrow('api/a.ts', 'db/a.ts'), arrow('db/a.ts', 'core/a.ts')])).toEqual([]);
});

function arrow(from: string, to: string) {
  return { from, to, line: 1 };
}
