import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Tests of rules and of single parts share one process with each other, because loading the libraries anew for each file
 * costs more than the tests. What starts services has a process of its own, and so have tests of clients that go by the
 * built-in fetch: loading undici replaces what that one sends through.
 */
const SHARING = ['core', 'chain/base', 'identity', 'db', 'bot/core'].map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    // Real chains, databases and Redis servers run beside the tests. Tests wait for blocks most of their time, so two cores
    // carry three workers.
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    projects: [
      { extends: true, test: { name: 'parts', include: SHARING, isolate: false } },
      {
        extends: true,
        test: { name: 'wholes', include: ['test/**/*.test.ts'], exclude: [...configDefaults.exclude, ...SHARING] },
      },
    ],
    // A test left with .only would switch the others off without a word.
    allowOnly: false,
    reporters: ['default'],
    slowTestThreshold: 5_000,
  },
});
