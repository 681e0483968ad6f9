import type { WorkedExample } from './worked-example.ts';

export const rustExamples: readonly WorkedExample[] = [
  {
    entryPoint: 'shift_minutes',
    declaration: 'fn shift_minutes(start: i32, end: i32) -> i32 {\n',
    docstring:
      'The length of a shift in minutes; start and end are minutes of the day, and a night shift ends on the next one.\n>>> shift_minutes(1320, 360)\n480',
    buggyBody: '    end - start\n}\n',
    fixedBody: '    (end - start).rem_euclid(1440)\n}\n',
    explanation: 'A shift over midnight came out negative.',
  },
  {
    entryPoint: 'parcels_needed',
    declaration: 'fn parcels_needed(items: u32, per_parcel: u32) -> u32 {\n',
    docstring:
      'How many parcels with so many items each are needed for all items.\n>>> parcels_needed(7, 3)\n3',
    buggyBody: '    items / per_parcel\n}\n',
    fixedBody: '    (items + per_parcel - 1) / per_parcel\n}\n',
    explanation: 'A parcel that is not full was left out.',
  },
  {
    entryPoint: 'lap_times',
    declaration: 'fn lap_times(clock: Vec<i32>) -> Vec<i32> {\n',
    docstring:
      'The time of each lap, from what the clock showed at the end of each; it started at 0.\n>>> lap_times(vec![61, 125, 186])\nvec![61, 64, 61]',
    buggyBody: '    clock.windows(2).map(|pair| pair[1] - pair[0]).collect()\n}\n',
    fixedBody:
      '    let mut begin = 0;\n    let mut laps = Vec::new();\n    for end in clock {\n        laps.push(end - begin);\n        begin = end;\n    }\n    laps\n}\n',
    explanation: 'The first lap, which begins at 0, was missing.',
  },
  {
    entryPoint: 'highest_within',
    declaration: 'fn highest_within(readings: Vec<i32>, limit: i32) -> i32 {\n',
    docstring:
      'The highest of the readings that are not above the limit; the limit itself counts, and without any it is -1.\n>>> highest_within(vec![4, 9, 7], 7)\n7',
    buggyBody: '    readings.into_iter().filter(|&reading| reading < limit).max().unwrap_or(-1)\n}\n',
    fixedBody: '    readings.into_iter().filter(|&reading| reading <= limit).max().unwrap_or(-1)\n}\n',
    explanation: 'A reading at the limit was left out.',
  },
];
