import { shareOf } from '../../../core/processes/shares.ts';
import { laneHolding, seatHolding, type Hold } from '../../../db/processes/owner.ts';
import type { Lane } from '../../../chain/signing/evm.ts';
import type { EvmWorker } from '../../dependencies.ts';

export type LaneShare = {
  /** Whether only this worker signs and sends from this lane now. */
  isMine: (lane: Lane) => boolean;
  /** Takes and gives up lanes. Between rounds only: a lane that is given up must have nothing under way. */
  look: () => Promise<void>;
};

const LOOK_EVERY_MS = 1_000;

/** Each lane is held by one worker. The workers of a network divide them fairly, and take over those of a dead one. */
export function createLaneShare({ holder, profile, lanes, now }: EvmWorker, onTaken: () => void): LaneShare {
  const { network } = profile;
  const [ours, seats] = [laneHolding(network, ''), seatHolding(network, '')];
  const nameOf = ({ address }: Lane) => laneHolding(network, address);
  const wanted = new Map<string, Hold>();
  let lookedMs = -Infinity;
  holder.want(seatHolding(network, holder.process));

  function want(name: string): void {
    const hold = holder.want(name);
    hold.onTaken(onTaken);
    wanted.set(name, hold);
  }

  async function look(): Promise<void> {
    if (now() - lookedMs < LOOK_EVERY_MS) return;
    const [held, taken] = await Promise.all([holder.read(ours), holder.read(seats)]);
    lookedMs = now();
    const holders = new Map(held.map(({ name, process }) => [name, process]));
    const takers = taken.flatMap(({ name, process }) => (process === null ? [] : [name.slice(seats.length)]));
    const things = lanes.map(nameOf);
    const division = { things, takers, holderOf: (name: string) => holders.get(name) ?? null };
    const { take, giveUp } = shareOf(holder.process, division);
    for (const name of take) if (!wanted.has(name)) want(name);
    // A lane that another worker was quicker to take is not waited for: the next look decides anew.
    const lost = [...wanted].filter(([name, hold]) => !take.includes(name) && !hold.isHeld()).map(([name]) => name);
    for (const name of [...giveUp, ...lost]) wanted.delete(name);
    if (giveUp.length + lost.length > 0) await holder.release([...giveUp, ...lost]);
  }

  return { look, isMine: (lane) => wanted.get(nameOf(lane))?.isHeld() === true };
}
