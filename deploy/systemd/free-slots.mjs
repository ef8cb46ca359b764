/** Returns every free time of every bookable department, from a week to five weeks ahead. */
export async function freeSlots(origin) {
  const day = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const { departments } = await (await fetch(`${origin}/api/departments`)).json();
  const bookable = departments.filter((department) => department.bookable);
  const found = await Promise.all(
    bookable.map(async ({ name: department }) => {
      const query = new URLSearchParams({ department, from: day(7), to: day(35) });
      const { days } = await (await fetch(`${origin}/api/availability?${query}`)).json();
      return days.flatMap(({ date, slots }) =>
        slots.filter(({ available }) => available).map(({ time }) => ({ department, date, time })),
      );
    }),
  );
  return found.flat();
}
