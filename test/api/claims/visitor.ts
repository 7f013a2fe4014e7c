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
    email?: { to: string; tries_left: number };
  };
};

export type Visitor = ReturnType<typeof createVisitor>;

/** Somebody's browser: it keeps its cookie, and posts JSON as our own page would. */
export function createVisitor(app: { request: (path: string, init: RequestInit) => Response | Promise<Response> }) {
  let cookie: string | null = null;

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (cookie !== null) headers.set('cookie', cookie);
    const answer = await app.request(path, { ...init, headers });
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

  return {
    ask,
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
