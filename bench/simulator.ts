// How much time the simulator plays in a minute: missions of ten hours from fixed seeds (test/simulator).
import { playMission } from '../test/simulator/mission.ts';

export type Simulated = {
  readonly missions: number;
  readonly hours: number;
  readonly hoursAMinute: number;
  readonly ofProcessor: number;
};

export async function measureSimulator(missions: number): Promise<Simulated> {
  await playMission(1); // the program loads what it needs
  const from = performance.now();
  const used = process.cpuUsage();
  let hours = 0;
  for (let seed = 1; seed <= missions; seed += 1) hours += (await playMission(seed)).hours;
  const hoursAMinute = (60_000 * hours) / (performance.now() - from);
  const { user, system } = process.cpuUsage(used);
  return { missions, hours, hoursAMinute, ofProcessor: (60_000_000 * hours) / (user + system) };
}
