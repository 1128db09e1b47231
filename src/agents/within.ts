// Owns waiting with a limit.

/** Whether `done` settled within so many milliseconds. Never rejects. */
export async function within(ms: number, done: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = done.then(
    () => true,
    () => true,
  );
  const answer = await Promise.race([settled, late]);
  clearTimeout(timer);
  return answer;
}
