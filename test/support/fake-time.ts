/** Time that passes only in waits, which are recorded in milliseconds. */
export function fakeTime() {
  const waits: number[] = [];
  let ms = 0;
  return {
    waits,
    now: () => new Date(ms),
    wait: async (milliseconds: number) => {
      waits.push(milliseconds);
      ms += milliseconds;
    },
  };
}
