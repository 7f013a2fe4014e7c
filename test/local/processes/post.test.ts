import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { postJson } from '../../../local/processes/post.ts';

let server: Server;
afterEach(() => server.closeAllConnections());
afterEach(() => void server.close());

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/path`;
}

test('what is posted arrives whole, and so does the answer, whatever its status', async () => {
  const url = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const told = [request.method, request.url, request.headers['content-type'], Buffer.concat(chunks).toString()];
      response.writeHead(503).end(told.join(' '));
    });
  });
  const body = JSON.stringify('ü'.repeat(100_000));
  expect(await postJson(url, body)).toEqual({ status: 503, text: `POST /path application/json ${body}` });
});

test('an answer that stands still is given up, also after its first bytes', async () => {
  const url = await serve((_request, response) => void response.writeHead(200).write('{'));
  await expect(postJson(url, '{}', 100)).rejects.toThrow();
});

test('an answer that breaks off is none', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200).write('{', () => response.destroy());
  });
  await expect(postJson(url, '{}')).rejects.toThrow();
});

test('nothing answers where nothing listens', async () => {
  const url = await serve(() => undefined);
  await new Promise((closed) => server.close(closed));
  await expect(postJson(url, '{}')).rejects.toThrow('ECONNREFUSED');
});
