/** Serves a chain to Solana's clients. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Chain } from '../chain/chain.ts';
import { toRpcUrl } from '../../processes/rpc.ts';
import { toWsUrl } from './ws-url.ts';
import { accountMethods } from '../methods/account-methods.ts';
import { blockMethods } from '../methods/block-methods.ts';
import { clusterMethods } from '../methods/cluster-methods.ts';
import { createDispatcher } from './dispatcher.ts';
import { createFaults } from '../rpc/faults.ts';
import { historyMethods } from '../methods/history-methods.ts';
import { serveHttp } from './http.ts';
import { type Host, localMethods } from '../methods/local-methods.ts';
import { createMailroom } from '../methods/mailroom.ts';
import { type PortPair, closeServer, listenAnywhere, listenOn } from './ports.ts';
import { sendMethods } from '../methods/send-methods.ts';
import { tokenMethods } from '../methods/token-methods.ts';
import { createWebsockets } from './websocket.ts';

export type RpcOptions = {
  chain: Chain;
  host: Host;
  /** Refused when another process has it, or the one above it. */
  port?: number | undefined;
  /** Taken when both are free. */
  preferredPort?: number | undefined;
};

export type RpcServer = {
  port: number;
  rpcUrl: string;
  wsUrl: string;
  close: () => Promise<void>;
};

export async function startRpcServer({ chain, host, port, preferredPort }: RpcOptions): Promise<RpcServer> {
  const faults = createFaults();
  const mailroom = createMailroom(chain, faults);
  const dispatcher = createDispatcher({
    ...clusterMethods(chain),
    ...accountMethods(chain),
    ...tokenMethods(chain),
    ...blockMethods(chain),
    ...historyMethods(chain),
    ...sendMethods(chain, mailroom),
    ...localMethods({ chain, faults, mailroom, host }),
  });
  const websockets = createWebsockets(chain);
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    serveHttp({ dispatcher, faults }, request, response).catch(() => request.socket.destroy());
  };
  const pair = await listen(listener, port, preferredPort);
  for (const server of pair.servers) server.on('upgrade', websockets.accept);
  return {
    port: pair.port,
    rpcUrl: toRpcUrl(pair.port),
    wsUrl: toWsUrl(pair.port),
    async close() {
      websockets.close();
      await Promise.all(pair.servers.map(closeServer));
    },
  };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(listener: Listener, port?: number, preferredPort?: number): Promise<PortPair> {
  if (port === undefined) {
    const preferred = preferredPort === undefined ? null : await listenOn(preferredPort, listener);
    return preferred ?? listenAnywhere(listener);
  }
  const pair = await listenOn(port, listener);
  if (!pair) throw new Error(`port ${port} or ${port + 1} for the local Solana network is in use by another program`);
  return pair;
}
