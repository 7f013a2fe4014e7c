import { expect, test } from 'vitest';
import { createGathered } from '../../chain/gathered.ts';

/** A question that is answered when the test says so. */
function createAsked() {
  const calls: { questions: readonly number[]; end: (outcome?: Error) => void }[] = [];
  const ask = createGathered(
    (questions: readonly number[]) =>
      new Promise<string[]>((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(questions.map((one) => `answer ${one}`)));
        calls.push({ questions, end });
      }),
  );
  return { ask, calls };
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

test('a lone question leaves at once, and those that come while it is under way share the next', async () => {
  const { ask, calls } = createAsked();
  const answers = [1, 2, 3].map((one) => ask(one));
  expect(calls.map(({ questions }) => questions)).toEqual([[1]]);
  calls[0]?.end();
  await turn();
  expect(calls.map(({ questions }) => questions)).toEqual([[1], [2, 3]]);
  calls[1]?.end();
  expect(await Promise.all(answers)).toEqual(['answer 1', 'answer 2', 'answer 3']);
  void ask(4);
  expect(calls).toHaveLength(3);
});

test('a failed question fails those that shared it and no later one', async () => {
  const { ask, calls } = createAsked();
  const first = ask(1).catch((error: Error) => error.message);
  const second = ask(2);
  calls[0]?.end(new Error('no node'));
  expect(await first).toBe('no node');
  await turn();
  calls[1]?.end();
  expect(await second).toBe('answer 2');
});
