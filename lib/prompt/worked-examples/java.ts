import type { WorkedExample } from './worked-example.ts';

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
