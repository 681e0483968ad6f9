import type { WorkedExample } from './worked-example.ts';

export const goExamples: readonly WorkedExample[] = [
  {
    entryPoint: 'ShiftMinutes',
    declaration: 'func ShiftMinutes(start, end int) int {\n',
    docstring:
      'The length of a shift in minutes; start and end are minutes of the day, and a night shift ends on the next one.\n>>> ShiftMinutes(1320, 360)\n480',
    buggyBody: '\treturn end - start\n}\n',
    fixedBody: '\treturn (end - start + 1440) % 1440\n}\n',
    explanation: 'A shift over midnight came out negative.',
  },
  {
    entryPoint: 'ParcelsNeeded',
    declaration: 'func ParcelsNeeded(items, perParcel int) int {\n',
    docstring:
      'How many parcels with so many items each are needed for all items.\n>>> ParcelsNeeded(7, 3)\n3',
    buggyBody: '\treturn items / perParcel\n}\n',
    fixedBody: '\treturn (items + perParcel - 1) / perParcel\n}\n',
    explanation: 'A parcel that is not full was left out.',
  },
  {
    entryPoint: 'LapTimes',
    declaration: 'func LapTimes(clock []int) []int {\n',
    docstring:
      'The time of each lap, from what the clock showed at the end of each; it started at 0.\n>>> LapTimes([]int{61, 125, 186})\n[]int{61, 64, 61}',
    buggyBody:
      '\tlaps := []int{}\n\tfor i := 1; i < len(clock); i++ {\n\t\tlaps = append(laps, clock[i]-clock[i-1])\n\t}\n\treturn laps\n}\n',
    fixedBody:
      '\tlaps := []int{}\n\tbegin := 0\n\tfor _, end := range clock {\n\t\tlaps = append(laps, end-begin)\n\t\tbegin = end\n\t}\n\treturn laps\n}\n',
    explanation: 'The first lap, which begins at 0, was missing.',
  },
  {
    entryPoint: 'HighestWithin',
    declaration: 'func HighestWithin(readings []int, limit int) int {\n',
    docstring:
      'The highest of the readings that are not above the limit; the limit itself counts, and without any it is -1.\n>>> HighestWithin([]int{4, 9, 7}, 7)\n7',
    buggyBody:
      '\thighest := -1\n\tfor _, reading := range readings {\n\t\tif reading < limit && reading > highest {\n\t\t\thighest = reading\n\t\t}\n\t}\n\treturn highest\n}\n',
    fixedBody:
      '\thighest := -1\n\tfor _, reading := range readings {\n\t\tif reading <= limit && reading > highest {\n\t\t\thighest = reading\n\t\t}\n\t}\n\treturn highest\n}\n',
    explanation: 'A reading at the limit was left out.',
  },
];
