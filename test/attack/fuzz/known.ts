import type { TestRequest } from '../../contract/requests/request.ts';
import { KNOWN, type KnownName } from './parts.ts';

const FOUND: Readonly<Record<KnownName, RegExp>> = {
  '@claim': /\/claims\/(claim_[\w-]{22})/,
  '@order': /^\/purse\/sends\/([\w-]{1,64})$/,
  '@task': /"(?:taskId|id)":"(task_[\w-]+)"/,
};

type Answered = { text: string; location: string };

/** What answers have named so far: generated requests cannot know it, and without it they stay at the door. */
export function createKnown() {
  const known = new Map<string, string>();
  /** Claims and orders are shown to their browser only. */
  const keyOf = (name: KnownName, { headers }: Pick<TestRequest, 'headers'>): string =>
    name === '@task' ? name : `${name} ${headers.find(([header]) => header === 'cookie')?.[1] ?? ''}`;

  return {
    fill(request: TestRequest): TestRequest {
      const replace = (text: string) =>
        KNOWN.reduce((filled, name) => filled.replaceAll(name, known.get(keyOf(name, request)) ?? 'none'), text);
      const body = request.body === null ? null : Buffer.from(replace(request.body.toString('latin1')), 'latin1');
      return { ...request, target: replace(request.target), body };
    },
    note(request: TestRequest, { text, location }: Answered): void {
      for (const name of KNOWN) {
        const found = FOUND[name].exec(name === '@task' ? text : location)?.[1];
        if (found !== undefined) known.set(keyOf(name, request), found);
      }
    },
  };
}
