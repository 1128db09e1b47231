// How much time the simulator plays in a minute: missions of ten hours from fixed seeds (test/simulator).
import { playMission } from '../test/simulator/mission.ts';

export type Simulated = { readonly missions: number; readonly hours: number; readonly hoursAMinute: number };

export async function measureSimulator(missions: number): Promise<Simulated> {
  await playMission(1); // the program loads what it needs
  const from = performance.now();
  let hours = 0;
  for (let seed = 1; seed <= missions; seed += 1) hours += (await playMission(seed)).hours;
  return { missions, hours, hoursAMinute: (60_000 * hours) / (performance.now() - from) };
}
