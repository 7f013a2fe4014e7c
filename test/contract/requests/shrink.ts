import fc from 'fast-check';
import { describeRequest, type TestRequest } from './request.ts';

const LIMIT_MS = 20_000;

/** Makes the request with this seed and index again and looks for a smaller one that goes wrong too: the one to debug. */
export async function findSmallest(
  arbitrary: fc.Arbitrary<TestRequest>,
  { seed, index, isWrong }: { seed: number; index: number; isWrong: (request: TestRequest) => Promise<boolean> },
): Promise<string> {
  const property = fc.asyncProperty(arbitrary, async (request) => !(await isWrong(request)));
  const options = { seed, path: String(index), numRuns: 1, interruptAfterTimeLimit: LIMIT_MS };
  const { counterexample } = await fc.check(property, options);
  return counterexample === null ? 'it did not happen again' : describeRequest(counterexample[0]);
}
