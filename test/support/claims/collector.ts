/** A browser that collects, without a browser: it keeps its cookie and speaks JSON, as our own pages could, or posts forms. */
import { submit } from '../../identity/proofs/submit.ts';

type Opened = { claim_id: string; oauth?: { url: string } };

type Init = { method?: string; headers?: Record<string, string>; body?: string | URLSearchParams };

/** All that the service shows to this browser, by where. */
export type Saw = (path: string, text: string) => void;
export type Answer = { status: number; location: string; text: string };
export type Collector = ReturnType<typeof createCollector>;

/** `serviceUrl`: null while nobody listens; where it was started again it may be another one. */
export function createCollector(serviceUrl: string | (() => string | null), saw: Saw = () => undefined) {
  let cookie = '';

  async function send(path: string, { headers = {}, ...init }: Init): Promise<Answer> {
    const origin = typeof serviceUrl === 'string' ? serviceUrl : serviceUrl();
    if (origin === null) throw new Error('nobody listens');
    const response = await fetch(new URL(path, origin), {
      redirect: 'manual',
      ...init,
      headers: { ...headers, origin: new URL(origin).origin, ...(cookie === '' ? {} : { cookie }) },
    });
    const given = response.headers.get('set-cookie')?.split(';')[0];
    if (given !== undefined) cookie = given;
    const { status } = response;
    const answer: Answer = { status, location: response.headers.get('location') ?? '', text: await response.text() };
    saw(path, `${answer.location}\n${answer.text}`);
    return answer;
  }

  const ask = (path: string, body?: object): Promise<Answer> =>
    body === undefined
      ? send(path, { headers: { accept: 'application/json' } })
      : send(path, {
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });

  function data<T>({ status, text }: Answer, wanted: number): T {
    if (status !== wanted) throw new Error(`expected ${wanted}, found ${status}: ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  }

  return {
    open: async (platform: string, handle: string, payout: object): Promise<Opened> =>
      data<Opened>(await ask('/claims', { platform, handle, payout }), 201),
    /** Says at the provider's stand-in who this is, and comes back with its answer. */
    async signIn(url: string, username: string): Promise<void> {
      const chosen = await submit(url, { username, decision: 'allow' });
      const { pathname, search } = new URL(chosen.headers.get('location') ?? '');
      const { status } = await ask(`${pathname}${search}`);
      if (status !== 303) throw new Error(`expected the sign-in to lead back to the claim, found ${status}`);
    },
    confirmToken: async (claimId: string): Promise<string> =>
      data<{ confirm_token: string }>(await ask(`/claims/${claimId}/proof`, {}), 200).confirm_token,
    confirm: async (claimId: string, token: string): Promise<number> =>
      (await ask(`/claims/${claimId}/confirm`, { confirm_token: token })).status,
    read: (path: string): Promise<Answer> => ask(path),
    page: (path: string): Promise<Answer> => send(path, { headers: { accept: 'text/html' } }),
    form: (path: string, fields: Record<string, string>): Promise<Answer> =>
      send(path, { method: 'POST', headers: { accept: 'text/html' }, body: new URLSearchParams(fields) }),
    /** For who gives it up and keeps a copy. */
    cookie: () => cookie,
    keepCookie: (copied: string) => void (cookie = copied),
  };
}
