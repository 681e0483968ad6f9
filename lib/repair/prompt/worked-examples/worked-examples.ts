import type { Language, Task } from '../../../core/task.ts';
import { cppExamples, goExamples, javaExamples, rustExamples } from './compiled.ts';
import type { WorkedExample } from './worked-example.ts';

const pythonExamples: readonly WorkedExample[] = [
  {
    entryPoint: 'plants_to_water',
    declaration: 'def plants_to_water(plants, today):\n',
    docstring:
      'The names of the plants whose last watering is at least as many days ago as they can wait.\n>>> plants_to_water([("fern", 3, 4), ("cactus", 1, 30)], 7)\n[\'fern\']',
    buggyBody: '    return [name for name, watered, wait in plants if today - watered > wait]\n',
    fixedBody: '    return [name for name, watered, wait in plants if today - watered >= wait]\n',
    explanation: 'A plant that waited exactly its time was left out.',
  },
  {
    entryPoint: 'shift_minutes',
    declaration: 'def shift_minutes(start, end):\n',
    docstring:
      'The length of a shift in minutes; start and end are minutes of the day, and a night shift ends on the next one.\n>>> shift_minutes(1320, 360)\n480',
    buggyBody: '    return end - start\n',
    fixedBody: '    return (end - start) % (24 * 60)\n',
    explanation: 'A shift over midnight came out negative.',
  },
  {
    entryPoint: 'after_delivery',
    declaration: 'def after_delivery(shelf, delivery):\n',
    docstring:
      'What stands on the shelf after the delivery; the shelf that was given stays as it is.\n>>> after_delivery({"tea": 2}, {"tea": 1, "salt": 5})\n{\'tea\': 3, \'salt\': 5}',
    buggyBody:
      '    total = shelf\n    for item, count in delivery.items():\n        total[item] = total.get(item, 0) + count\n    return total\n',
    fixedBody:
      '    total = dict(shelf)\n    for item, count in delivery.items():\n        total[item] = total.get(item, 0) + count\n    return total\n',
    explanation: 'It wrote into the shelf that it was given.',
  },
  {
    entryPoint: 'lap_times',
    declaration: 'def lap_times(clock):\n',
    docstring:
      'The time of each lap, from what the clock showed at the end of each; it started at 0.\n>>> lap_times([61, 125, 186])\n[61, 64, 61]',
    buggyBody: '    return [clock[i] - clock[i - 1] for i in range(1, len(clock))]\n',
    fixedBody: '    return [end - begin for begin, end in zip([0] + clock, clock)]\n',
    explanation: 'The first lap, which begins at 0, was missing.',
  },
];

const javascriptExamples: readonly WorkedExample[] = [
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

/** The language's first examples, up to the given number. */
export function workedExamples(language: Language, count: number): readonly ShownExample[] {
  return examplesOf[language].slice(0, count).map(example => ({
    language,
    entryPoint: example.entryPoint,
    declaration: example.declaration,
    docstring: example.docstring,
    buggy: example.declaration + example.buggyBody,
    fixed: example.declaration + example.fixedBody,
    explanation: example.explanation,
  }));
}

const examplesOf: Readonly<Record<Language, readonly WorkedExample[]>> = {
  python: pythonExamples,
  js: javascriptExamples,
  java: javaExamples,
  go: goExamples,
  cpp: cppExamples,
  rust: rustExamples,
};

export interface ShownExample
  extends Pick<Task, 'language' | 'entryPoint' | 'declaration' | 'docstring' | 'buggy'> {
  readonly fixed: string;
  readonly explanation: string;
}
