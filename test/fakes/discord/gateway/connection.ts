import { GatewayCloseCodes as Close, GatewayOpcodes as Op } from 'discord-api-types/v10';
import type { WebSocket } from 'ws';
import type { World } from '../state/world.ts';
import { type Frame, frame, KNOWN_OPCODES } from './frames.ts';
import { guildsOfShard, toGuildCreate, toReady } from './greetings.ts';
import { filterEvent, refuseIntents } from './intents.ts';
import { type Dispatch, dispatch, type Session, type Sessions } from './sessions.ts';

const FRAME_BYTES_MAX = 4096;
const FRAMES_PER_MINUTE = 120;

export type Connection = {
  session: () => Session | null;
  send: (payload: object) => void;
  /** Closes with a code, or tears the line without a word. */
  close: (code: number | null) => void;
};

/** While there is a list, frames wait in it. */
export type GatewayLatency = { gatewayMs: number; held: (() => void)[] | null };

/** Speaks with one bot: greets, identifies or resumes it, answers its heartbeats, and closes on every violation. */
export function serveConnection(
  world: World,
  sessions: Sessions,
  socket: WebSocket,
  latency: GatewayLatency,
  acknowledges: () => boolean,
): Connection {
  let session: Session | null = null;
  let frames: number[] = [];
  let lastHeartbeatAt = world.now();
  const { heartbeatIntervalMs } = world.settings;

  const send = (payload: object) => {
    // A delay that is the same for all keeps the order.
    const text = JSON.stringify(payload);
    const go = () => {
      if (socket.readyState === socket.OPEN) socket.send(text);
    };
    if (latency.held !== null) latency.held.push(go);
    else if (latency.gatewayMs > 0) setTimeout(go, latency.gatewayMs);
    else go();
  };
  const close = (code: number | null) => {
    if (code === null) socket.terminate();
    else socket.close(code);
  };
  const deliver = (sent: Dispatch) => send(sent);
  const attach = (found: Session) => {
    session = found;
    found.lostAt = null;
    found.deliver = deliver;
  };

  const greet = (d: Extract<Frame, { op: 2 }>['d']) => {
    if (session) return close(Close.AlreadyAuthenticated);
    if (d.token !== world.settings.token) return close(Close.AuthenticationFailed);
    const refused = refuseIntents(world.settings, d.intents);
    if (refused !== null) return close(refused);
    const shard = d.shard ?? [0, 1];
    if (shard[0] >= shard[1]) return close(Close.InvalidShard);
    const opened = sessions.open(d.intents, shard);
    attach(opened);
    const guilds = guildsOfShard(world, shard);
    dispatch(opened, { t: 'READY', d: toReady(world, opened.id, shard, guilds) });
    for (const guild of guilds) {
      const event = filterEvent({ t: 'GUILD_CREATE', d: toGuildCreate(world, guild), guildId: guild.id }, d.intents);
      if (event !== null) dispatch(opened, event);
    }
    world.changes.happened();
  };

  const resume = (d: Extract<Frame, { op: 6 }>['d']) => {
    if (session) return close(Close.AlreadyAuthenticated);
    if (d.token !== world.settings.token) return close(Close.AuthenticationFailed);
    const found = sessions.find(d.session_id);
    if (!found) return send({ op: Op.InvalidSession, d: false });
    if (d.seq > found.seq) return close(Close.InvalidSeq);
    attach(found);
    for (const missed of found.sent.filter(({ s }) => s > d.seq)) send(missed);
    dispatch(found, { t: 'RESUMED', d: {} });
    world.changes.happened();
  };

  const receive = (read: Frame) => {
    switch (read.op) {
      case Op.Heartbeat:
        lastHeartbeatAt = world.now();
        if (acknowledges()) send({ op: Op.HeartbeatAck });
        return;
      case Op.Identify:
        return greet(read.d);
      case Op.Resume:
        return resume(read.d);
      case Op.PresenceUpdate:
      case Op.VoiceStateUpdate:
      case Op.RequestGuildMembers:
      case Op.RequestSoundboardSounds:
        if (!session) close(Close.NotAuthenticated);
    }
  };

  socket.on('message', (data) => {
    const now = world.now();
    frames = [...frames.filter((at) => now - at < 60_000), now];
    if (frames.length > FRAMES_PER_MINUTE) return close(Close.RateLimited);
    const read = readFrame(Buffer.isBuffer(data) ? data : Buffer.alloc(FRAME_BYTES_MAX + 1));
    if (typeof read === 'number') return close(read);
    receive(read);
  });

  // A bot that stays silent for longer than its interval is taken for dead.
  const watch = setInterval(() => {
    if (world.now() - lastHeartbeatAt > heartbeatIntervalMs * 2) close(Close.SessionTimedOut);
  }, heartbeatIntervalMs);
  socket.on('close', (code) => {
    clearInterval(watch);
    // The connection that resumed meanwhile holds the session now.
    if (session?.deliver === deliver) {
      session.deliver = null;
      session.lostAt = world.now();
      // A bot that says goodbye with these codes gives its session up.
      if (code === 1000 || code === 1001) sessions.forget(session);
    }
    session = null;
    world.changes.happened();
  });
  socket.on('error', () => undefined);
  send({ op: Op.Hello, d: { heartbeat_interval: heartbeatIntervalMs, _trace: [] } });
  return { session: () => session, send, close };
}

/** The frame, or the code with which Discord closes. */
function readFrame(data: Buffer): Frame | number {
  if (data.length > FRAME_BYTES_MAX) return Close.DecodeError;
  let sent: unknown;
  try {
    sent = JSON.parse(data.toString('utf8'));
  } catch {
    return Close.DecodeError;
  }
  const op = typeof sent === 'object' && sent !== null && 'op' in sent ? sent.op : undefined;
  if (typeof op !== 'number' || !KNOWN_OPCODES.has(op)) return Close.UnknownOpcode;
  const read = frame.safeParse(sent);
  return read.success ? read.data : Close.DecodeError;
}
