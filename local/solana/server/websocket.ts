/** JSON-RPC over websockets: subscriptions only, as on a node. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Chain } from '../chain/chain.ts';
import { createDispatcher, toParseError } from './dispatcher.ts';
import { BODY_BYTES_MAX } from './http.ts';
import { isFromHere } from './loopback.ts';
import { createSubscriptions } from '../methods/subscriptions.ts';

/** A reader that has stopped reading is disconnected before it fills the memory. */
const UNSENT_BYTES_MAX = 4 * 1024 * 1024;

export type Websockets = {
  accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  close: () => void;
};

export function createWebsockets(chain: Chain): Websockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: BODY_BYTES_MAX });
  return {
    accept(request, socket, head) {
      if (!isFromHere(request.headers)) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      server.handleUpgrade(request, socket, head, (websocket) => serve(chain, websocket));
    },
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

function serve(chain: Chain, websocket: WebSocket): void {
  const send = (message: object): void => {
    if (websocket.readyState !== websocket.OPEN) return;
    if (websocket.bufferedAmount > UNSENT_BYTES_MAX) return websocket.terminate();
    websocket.send(JSON.stringify(message));
  };
  const subscriptions = createSubscriptions(chain, send);
  const dispatcher = createDispatcher(subscriptions.methods);
  const endBell = chain.onChange(subscriptions.tell);
  websocket.on('close', endBell);
  // The close that follows is all that there is to do about it.
  websocket.on('error', () => undefined);
  websocket.on('message', (data: Buffer) => {
    void answer(data.toString('utf8')).then((reply) => {
      if (reply) send(reply);
      // What is true already is sent at once, after the number of its subscription.
      subscriptions.tell();
    });
  });

  async function answer(text: string) {
    try {
      return await dispatcher.answer(JSON.parse(text));
    } catch {
      return toParseError();
    }
  }
}
