import type { WorkedExample } from './worked-example.ts';

export const javascriptExamples: readonly WorkedExample[] = [
  {
    entryPoint: 'plantsToWater',
    declaration: 'const plantsToWater = (plants, today) => {\n',
    docstring:
      'The names of the plants whose last watering is at least as many days ago as they can wait.\n>>> plantsToWater([{ name: "fern", watered: 3, wait: 4 }], 7)\n["fern"]',
    buggyBody:
      '  return plants.filter(plant => today - plant.watered > plant.wait).map(plant => plant.name);\n}\n',
    fixedBody:
      '  return plants.filter(plant => today - plant.watered >= plant.wait).map(plant => plant.name);\n}\n',
    explanation: 'A plant that waited exactly its time was left out.',
  },
  {
    entryPoint: 'shiftMinutes',
    declaration: 'const shiftMinutes = (start, end) => {\n',
    docstring:
      'The length of a shift in minutes; start and end are minutes of the day, and a night shift ends on the next one.\n>>> shiftMinutes(1320, 360)\n480',
    buggyBody: '  return end - start;\n}\n',
    fixedBody: '  return (end - start + 1440) % 1440;\n}\n',
    explanation: 'A shift over midnight came out negative.',
  },
  {
    entryPoint: 'afterDelivery',
    declaration: 'const afterDelivery = (shelf, delivery) => {\n',
    docstring:
      'What stands on the shelf after the delivery; the shelf that was given stays as it is.\n>>> afterDelivery({ tea: 2 }, { tea: 1, salt: 5 })\n{ tea: 3, salt: 5 }',
    buggyBody:
      '  const total = shelf;\n  for (const [item, count] of Object.entries(delivery)) total[item] = (total[item] ?? 0) + count;\n  return total;\n}\n',
    fixedBody:
      '  const total = { ...shelf };\n  for (const [item, count] of Object.entries(delivery)) total[item] = (total[item] ?? 0) + count;\n  return total;\n}\n',
    explanation: 'It wrote into the shelf that it was given.',
  },
  {
    entryPoint: 'lapTimes',
    declaration: 'const lapTimes = (clock) => {\n',
    docstring:
      'The time of each lap, from what the clock showed at the end of each; it started at 0.\n>>> lapTimes([61, 125, 186])\n[61, 64, 61]',
    buggyBody: '  return clock.slice(1).map((end, i) => end - clock[i]);\n}\n',
    fixedBody: '  return clock.map((end, i) => end - (clock[i - 1] ?? 0));\n}\n',
    explanation: 'The first lap, which begins at 0, was missing.',
  },
];
