/**
 * Answers single questions through one that takes many. The first leaves at once; those that come while it is under way
 * share the next. So a lone caller never waits, many cost a question per round trip instead of one each, and every
 * answer is to a question asked after its caller came.
 */
export function createGathered<Question, Answer>(
  askAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  type Asked = { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void };
  let waiting: Asked[] = [];
  let isAsking = false;

  async function askWaiting(): Promise<void> {
    isAsking = true;
    while (waiting.length > 0) {
      const asked = waiting;
      waiting = [];
      await answer(asked);
    }
    isAsking = false;
  }

  async function answer(asked: readonly Asked[]): Promise<void> {
    try {
      const answers = await askAll(asked.map(({ question }) => question));
      if (answers.length !== asked.length) throw new Error(`asked ${asked.length} questions, got ${answers.length}`);
      for (const [index, found] of answers.entries()) asked[index]?.resolve(found);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (!isAsking) void askWaiting();
    });
}
