import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectForAlone, hears, LACKS, lacksOf } from './play.ts';
import { startStage, TRANSPORTS, type Stage } from './stage.ts';

describe.each(TRANSPORTS)('on %s', (name) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(name);
  });
  afterAll(() => stage.close());

  test('a scenario is left out for nothing but what the transport lacks', () => {
    expect(lacksOf(stage.driver)).toEqual(LACKS[name]);
  });

  test('what one person reads alone is told apart from what all read', async () => {
    const scene = await stage.driver.open();
    const { alice, bob } = scene;
    await scene.say(alice, '/balance');
    const alone = await hears(scene, alice, /^You have/);
    expectForAlone(scene, alice, alone);
    await scene.say(alice, '/tip x:jack 1');
    const forAll = await hears(scene, alice, /^Sent/);
    const isRead = scene.everRead(bob).includes(forAll.text);
    expect(isRead).toBe(stage.driver.means.groups);
    if (isRead) expect(() => expectForAlone(scene, alice, forAll)).toThrow();
    await scene.close();
  });
});
