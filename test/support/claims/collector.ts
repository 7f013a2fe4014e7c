/** A browser that collects, without a browser: it keeps its cookie and speaks JSON, as our own pages could. */
import { submit } from '../../identity/proofs/submit.ts';

type Opened = { claim_id: string; oauth?: { url: string } };

export function createCollector(serviceUrl: string) {
  let cookie = '';

  async function ask(path: string, body?: object): Promise<Response> {
    const response = await fetch(new URL(path, serviceUrl), {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const given = response.headers.get('set-cookie')?.split(';')[0];
    if (given !== undefined) cookie = given;
    return response;
  }

  async function data<T>(response: Response, status: number): Promise<T> {
    const text = await response.text();
    if (response.status !== status) throw new Error(`expected ${status}, found ${response.status}: ${text}`);
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
      (await data<{ confirm_token: string }>(await ask(`/claims/${claimId}/proof`, {}), 200)).confirm_token,
    confirm: async (claimId: string, token: string): Promise<number> =>
      (await ask(`/claims/${claimId}/confirm`, { confirm_token: token })).status,
  };
}
