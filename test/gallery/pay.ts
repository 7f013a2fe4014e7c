import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { createPayWorld, PAID, type PayWorld } from '../bot/pay/world.ts';
import type { GalleryPart } from './page.ts';

/** What a pay link leads to. Each state has a world of its own. */
export async function startPay(): Promise<GalleryPart> {
  const [open, transfer, paid] = await Promise.all([createPayWorld(), createPayWorld(), createPayWorld()]);
  const worlds: readonly PayWorld[] = [open, transfer, paid];
  for (const world of worlds) {
    await world.say('/pay @x:alice 1 for Friday night');
    world.keyOf();
  }
  await transfer.form('transfer');
  await paid.form('transfer');
  paid.state.paid = PAID;
  await paid.bot.links.run((await paid.orderOf()).id);
  const app = new Hono();
  for (const world of worlds)
    app.get(`/pay/${world.keyOf()}`, (context) => world.show(world.keyOf(), context.req.header()));
  app.route('/pay', open.pages);
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pageOf = (name: string, world: PayWorld) => ({ name: `pay ${name}`, url: `${url}/pay/${world.keyOf()}` });
  return {
    pages: [pageOf('open', open), pageOf('by transfer', transfer), pageOf('paid', paid)],
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
      await Promise.all(worlds.map((world) => world.close()));
    },
  };
}
