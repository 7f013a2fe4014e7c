export type ReceiptEvent = { id: string; data: { code: number; msg: string; data: Record<string, unknown> } };

/** Reads a server-sent event stream as a program would, a block at a time. */
export function readEvents(body: ReadableStream<Uint8Array> | null) {
  if (body === null) throw new Error('expected a stream, found an empty body');
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = '';

  /** One block without its empty line: an event, a comment, or `retry`. Null at the end. */
  async function nextBlock(): Promise<string | null> {
    for (;;) {
      const end = buffer.indexOf('\n\n');
      if (end >= 0) {
        const block = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        return block;
      }
      const { done, value } = await reader.read();
      if (done) return null;
      buffer += decoder.decode(value, { stream: true });
    }
  }

  /** The next event, past comments. Null at the end. */
  async function nextEvent(): Promise<ReceiptEvent | null> {
    for (;;) {
      const block = await nextBlock();
      if (block === null) return null;
      const [, id, data] = /^id: (\S+)\ndata: (.+)$/.exec(block) ?? [];
      if (id !== undefined && data !== undefined) return { id, data: JSON.parse(data) as ReceiptEvent['data'] };
    }
  }

  return { nextBlock, nextEvent, cancel: () => reader.cancel() };
}
