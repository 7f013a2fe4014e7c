import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    // Real chains, databases and Redis servers run beside the tests: two workers are what two cores carry.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // A test left with .only would switch the others off without a word.
    allowOnly: false,
    reporters: ['default'],
    slowTestThreshold: 5_000,
  },
});
