export type Reply = { status: number; headers: Headers; body: Body };

export type Body = {
  code: number;
  msg: string;
  error?: string;
  field?: string;
  detail?: string;
  data: {
    claim_id: string;
    method: string;
    status: string;
    reason: string | null;
    name: string | null;
    total: number | null;
    sums: { network: string; amount: number }[] | null;
    network: string | null;
    destinations: { network: string; address: string }[] | null;
    confirm_token: string | null;
    txn_ids: number[];
    effective_at: string | null;
    oauth?: { url: string };
    siwf?: { url: string };
    domain?: { txt_name: string; file_url: string; line: string };
    email?: { to: string; tries_left: number; code_expires_at: string | null; last_mail_at: string | null };
  };
};

export type Visitor = ReturnType<typeof createVisitor>;

type App = { request: (path: string, init: RequestInit, env?: object) => Response | Promise<Response> };

/** A person's browser: it keeps its cookie, and posts JSON as our own page would. `address` is where it comes from. */
export function createVisitor(app: App, address: string | null = null) {
  const env = address === null ? {} : { incoming: { socket: { remoteAddress: address } } };

  let cookie: string | null = null;

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (cookie !== null) headers.set('cookie', cookie);
    const answer = await app.request(path, { ...init, headers }, env);
    const [given] = (answer.headers.get('set-cookie') ?? '').split(';');
    if (given !== undefined && given !== '') cookie = given;
    return answer;
  }

  async function send(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const answer = await ask(path, {
      method: body === undefined ? 'GET' : 'POST',
      body: body === undefined ? null : JSON.stringify(body),
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: JSON.parse(text === '' ? '{}' : text) as Body };
  }

  async function open(platform: string, handle: string, payout: unknown): Promise<Reply> {
    return send('/claims', { platform, handle, payout });
  }

  /** As a page posts a form; the answer leads on. */
  async function submit(path: string, fields: Record<string, string>): Promise<Response> {
    const headers = { accept: 'text/html', origin: 'http://127.0.0.1:8402' };
    return ask(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  return {
    ask,
    submit,
    page: (path: string) => ask(path, { headers: { accept: 'text/html' } }),
    send,
    open,
    /** Opens a claim that must be accepted. */
    async opened(platform: string, handle: string, payout: unknown): Promise<Body['data']> {
      const { status, body } = await open(platform, handle, payout);
      if (status !== 201) throw new Error(`expected a claim, found ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
    prove: (claimId: string, body: object = {}) => send(`/claims/${claimId}/proof`, body),
    confirm: (claimId: string, token: string | null) =>
      send(`/claims/${claimId}/confirm`, { confirm_token: token ?? '' }),
    decline: (claimId: string, token: string | null, optOut: boolean) =>
      send(`/claims/${claimId}/decline`, { confirm_token: token ?? '', opt_out: optOut }),
    read: (claimId: string) => send(`/claims/${claimId}`),
    cookie: () => cookie,
  };
}
