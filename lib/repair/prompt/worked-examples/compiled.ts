import type { WorkedExample } from './worked-example.ts';

export const cppExamples: readonly WorkedExample[] = [
  {
    entryPoint: 'shiftMinutes',
    declaration: 'int shiftMinutes(int start, int end) {\n',
    docstring:
      'The length of a shift in minutes; start and end are minutes of the day, and a night shift ends on the next one.\n>>> shiftMinutes(1320, 360)\n480',
    buggyBody: '    return end - start;\n}\n',
    fixedBody: '    return (end - start + 1440) % 1440;\n}\n',
    explanation: 'A shift over midnight came out negative.',
  },
  {
    entryPoint: 'parcelsNeeded',
    declaration: 'int parcelsNeeded(int items, int perParcel) {\n',
    docstring:
      'How many parcels with so many items each are needed for all items.\n>>> parcelsNeeded(7, 3)\n3',
    buggyBody: '    return items / perParcel;\n}\n',
    fixedBody: '    return (items + perParcel - 1) / perParcel;\n}\n',
    explanation: 'A parcel that is not full was left out.',
  },
  {
    entryPoint: 'lapTimes',
    declaration: '#include <vector>\nusing namespace std;\nvector<int> lapTimes(vector<int> clock) {\n',
    docstring:
      'The time of each lap, from what the clock showed at the end of each; it started at 0.\n>>> lapTimes({61, 125, 186})\n{61, 64, 61}',
    buggyBody:
      '    vector<int> laps;\n    for (size_t i = 1; i < clock.size(); i++) laps.push_back(clock[i] - clock[i - 1]);\n    return laps;\n}\n',
    fixedBody:
      '    vector<int> laps;\n    for (size_t i = 0; i < clock.size(); i++) laps.push_back(clock[i] - (i == 0 ? 0 : clock[i - 1]));\n    return laps;\n}\n',
    explanation: 'The first lap, which begins at 0, was missing.',
  },
  {
    entryPoint: 'highestWithin',
    declaration:
      '#include <vector>\nusing namespace std;\nint highestWithin(vector<int> readings, int limit) {\n',
    docstring:
      'The highest of the readings that are not above the limit; the limit itself counts, and without any it is -1.\n>>> highestWithin({4, 9, 7}, 7)\n7',
    buggyBody:
      '    int highest = -1;\n    for (int reading : readings) {\n        if (reading < limit && reading > highest) highest = reading;\n    }\n    return highest;\n}\n',
    fixedBody:
      '    int highest = -1;\n    for (int reading : readings) {\n        if (reading <= limit && reading > highest) highest = reading;\n    }\n    return highest;\n}\n',
    explanation: 'A reading at the limit was left out.',
  },
];

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

export const javaExamples: readonly WorkedExample[] = [
  {
    entryPoint: 'shiftMinutes',
    declaration:
      'import java.util.*;\n\nclass Solution {\n    public int shiftMinutes(int start, int end) {\n',
    docstring:
      'The length of a shift in minutes; start and end are minutes of the day, and a night shift ends on the next one.\n>>> shiftMinutes(1320, 360)\n480',
    buggyBody: '        return end - start;\n    }\n}\n',
    fixedBody: '        return (end - start + 1440) % 1440;\n    }\n}\n',
    explanation: 'A shift over midnight came out negative.',
  },
  {
    entryPoint: 'parcelsNeeded',
    declaration:
      'import java.util.*;\n\nclass Solution {\n    public int parcelsNeeded(int items, int perParcel) {\n',
    docstring:
      'How many parcels with so many items each are needed for all items.\n>>> parcelsNeeded(7, 3)\n3',
    buggyBody: '        return items / perParcel;\n    }\n}\n',
    fixedBody: '        return (items + perParcel - 1) / perParcel;\n    }\n}\n',
    explanation: 'A parcel that is not full was left out.',
  },
  {
    entryPoint: 'lapTimes',
    declaration:
      'import java.util.*;\n\nclass Solution {\n    public List<Integer> lapTimes(List<Integer> clock) {\n',
    docstring:
      'The time of each lap, from what the clock showed at the end of each; it started at 0.\n>>> lapTimes(List.of(61, 125, 186))\nList.of(61, 64, 61)',
    buggyBody:
      '        List<Integer> laps = new ArrayList<>();\n        for (int i = 1; i < clock.size(); i++) {\n            laps.add(clock.get(i) - clock.get(i - 1));\n        }\n        return laps;\n    }\n}\n',
    fixedBody:
      '        List<Integer> laps = new ArrayList<>();\n        int begin = 0;\n        for (int end : clock) {\n            laps.add(end - begin);\n            begin = end;\n        }\n        return laps;\n    }\n}\n',
    explanation: 'The first lap, which begins at 0, was missing.',
  },
  {
    entryPoint: 'highestWithin',
    declaration:
      'import java.util.*;\n\nclass Solution {\n    public int highestWithin(List<Integer> readings, int limit) {\n',
    docstring:
      'The highest of the readings that are not above the limit; the limit itself counts, and without any it is -1.\n>>> highestWithin(List.of(4, 9, 7), 7)\n7',
    buggyBody:
      '        int highest = -1;\n        for (int reading : readings) {\n            if (reading < limit) highest = Math.max(highest, reading);\n        }\n        return highest;\n    }\n}\n',
    fixedBody:
      '        int highest = -1;\n        for (int reading : readings) {\n            if (reading <= limit) highest = Math.max(highest, reading);\n        }\n        return highest;\n    }\n}\n',
    explanation: 'A reading at the limit was left out.',
  },
];

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
