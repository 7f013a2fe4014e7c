/**
 * Posts JSON to a server of this machine and answers the status and the text. Not by `fetch`, which takes several times as
 * much of a core, and local chains are asked hundreds of times a minute.
 */
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

export type Posted = { status: number; text: string };

/** The limit holds until the last byte has come. */
export function postJson(url: string, body: string, timeoutMs?: number): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    };
    const posting = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    const late = () => posting.destroy(new Error(`no answer within ${timeoutMs} ms`));
    const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
    posting.on('error', reject);
    posting.on('close', () => clearTimeout(timer));
    posting.end(body);
  });
}
