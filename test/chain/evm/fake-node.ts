import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Question = { id: number; method: string; params: unknown[] };
export type Handler = (questions: Question[], response: ServerResponse, request: IncomingMessage) => void;

/** A question that came without a list around it is handed over as a list of one. */
function toQuestions(body: string): Question[] {
  const parsed = JSON.parse(body) as Question | Question[];
  return Array.isArray(parsed) ? parsed : [parsed];
}

/** A node over which a test has full control; it is closed with the test. `requests` counts HTTP requests. */
export async function startFakeNode(handler: Handler): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => handler(toQuestions(Buffer.concat(chunks).toString()), response, request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests: () => requests };
}

export function answer(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Answers every question with what `read` makes of it, as a well-behaved node does. */
export const answering =
  (read: (question: Question) => unknown): Handler =>
  (questions, response) =>
    answer(
      response,
      questions.map((question) => ({ jsonrpc: '2.0', id: question.id, result: read(question) })),
    );

/** The same for questions that are sent alone. */
export const answeringAlone =
  (read: (question: Question) => unknown): Handler =>
  ([question], response) =>
    answer(response, { jsonrpc: '2.0', id: question?.id, result: question && read(question) });
