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
