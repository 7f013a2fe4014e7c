/** What can happen to a request between a client and a service. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `hold`: a payment gets no further. `lose`: it arrives, and its answer does not. */
export type GateMode = 'pass' | 'hold' | 'lose';

export type Gate = Awaited<ReturnType<typeof startGate>>;

export async function startGate(target: string) {
  let mode: GateMode = 'pass';
  let spoil: ((status: number, headers: Headers, body: string) => { headers: Headers; body: string }) | null = null;
  /** The payments that came, whatever became of them. */
  const payments: string[] = [];

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const payment = request.headers['payment-signature'];
    if (typeof payment === 'string') payments.push(payment);
    const isPayment = payment !== undefined;
    if (isPayment && mode === 'hold') return;
    const headers = Object.entries(request.headers).filter(
      ([name]) => !['host', 'connection', 'content-length'].includes(name),
    );
    const answer = await fetch(target + (request.url ?? ''), {
      method: request.method ?? 'GET',
      headers: headers.map(([name, value]) => [name, String(value)] as [string, string]),
      ...(request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
    });
    const text = await answer.text();
    if (isPayment && mode === 'lose') return void response.destroy();
    const spoilt = spoil?.(answer.status, new Headers(answer.headers), text) ?? { headers: answer.headers, body: text };
    spoilt.headers.forEach((value, name) => {
      if (!['content-length', 'transfer-encoding', 'connection', 'content-encoding'].includes(name))
        response.setHeader(name, value);
    });
    response.writeHead(answer.status).end(spoilt.body);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    payments,
    setMode: (next: GateMode) => void (mode = next),
    spoilWith: (next: typeof spoil) => void (spoil = next),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
