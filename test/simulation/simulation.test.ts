// The simulator itself, in a process of its own because it puts itself between the functions and the world: fixed seeds
// keep every invariant, a seed repeats its run, and what fails is made shorter.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { shrink } from './shrink.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

interface Outcome {
  readonly code: number;
  readonly output: string;
}

const simulate = (...parameters: readonly string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...parameters], { maxBuffer: 2 ** 26 }, (error, output) => resolve({ code: error ? 1 : 0, output }));
  });

const withoutTimes = (output: string): string => output.replace(/\(\d+ s\)/g, '');

describe('the simulation', () => {
  it('keeps every invariant over fixed seeds', async () => {
    const { code, output } = await simulate('--seed', '1', '--runs', '20', '--steps', '50', '--quiet');
    expect(output).toContain('every invariant held');
    expect(code).toBe(0);
  });

  it('repeats a run for its seed, call by call', async () => {
    const first = await simulate('--seed', '77', '--runs', '2', '--steps', '40', '--trace');
    const second = await simulate('--seed', '77', '--runs', '2', '--steps', '40', '--trace');
    expect(first.output.split('\n').length).toBeGreaterThan(60);
    expect(withoutTimes(second.output)).toBe(withoutTimes(first.output));
  });

  it('shortens a failing history to the steps that make it fail', async () => {
    const steps = Array.from({ length: 50 }, (_, index) => index);
    const fails = async (candidate: readonly number[]): Promise<boolean> => candidate.includes(7) && candidate.includes(31);
    expect(await shrink(steps, fails, 200)).toEqual([7, 31]);
  });
});
