import { guardEvm } from '../../chain/signing/evm.ts';
import type { SigningGuard } from '../../chain/signing/policy.ts';
import { guardSolana } from '../../chain/signing/solana.ts';
import type { ProcessLease } from '../../db/processes/owner.ts';
import type { SweptAccount } from '../../worker/dependencies.ts';
import type { EvmParts } from './evm.ts';
import type { SolanaParts } from './solana.ts';

type NetworkParts = EvmParts | SolanaParts;

/** The lease may have ended while this process was stopped: then others send, and nothing may leave here. */
export function sendUnder(lease: Pick<ProcessLease, 'holds'>, parts: NetworkParts): NetworkParts {
  const check = () => {
    if (!lease.holds()) throw new Error('nothing is sent: the lease of this process is over');
  };
  switch (parts.family) {
    case 'evm': {
      const { rpc } = parts;
      const sendRaw: typeof rpc.sendRaw = async (raw) => (check(), rpc.sendRaw(raw));
      return { ...parts, rpc: { ...rpc, sendRaw } };
    }
    case 'svm': {
      const { rpc } = parts;
      const sendRaw: typeof rpc.sendRaw = async (wire) => (check(), rpc.sendRaw(wire));
      return { ...parts, rpc: { ...rpc, sendRaw } };
    }
  }
}

/** Each signer asks right before it signs, so that a stop or a lost lease holds for the next signature already. */
export function signUnder(guard: SigningGuard, parts: NetworkParts): NetworkParts {
  switch (parts.family) {
    case 'evm':
      return guardEvm(parts, guard);
    case 'svm': {
      const guardSwept = (one: SweptAccount): SweptAccount => ({ ...one, key: guardSolana(one.key, guard) });
      const [task, formers] = [parts.task && guardSwept(parts.task), parts.formers.map(guardSwept)];
      const [treasury, feePayer] = [guardSolana(parts.treasury, guard), guardSolana(parts.feePayer, guard)];
      return { ...parts, treasury, feePayer, task, formers };
    }
  }
}
