/**
 * Standard packages that candidates and tests may import; the others use the network or other programs. The
 * keys are the names in code; packages without a key are imported only by path.
 */
const paths = (
  'bufio bytes cmp container/heap container/list container/ring context crypto/md5 crypto/sha1 ' +
  'crypto/sha256 crypto/sha512 encoding/base32 encoding/base64 encoding/binary encoding/csv ' +
  'encoding/hex encoding/json errors flag fmt hash hash/adler32 hash/crc32 hash/fnv hash/maphash ' +
  'html io iter log maps math math/big math/bits math/cmplx math/rand math/rand/v2 os path ' +
  'path/filepath reflect regexp runtime runtime/debug slices sort strconv strings sync sync/atomic ' +
  'text/tabwriter text/template time unicode unicode/utf16 unicode/utf8 unsafe'
).split(' ');

export const standardPaths: readonly string[] = paths;

/** The path to import for a name that code uses without importing it; `rand` is math/rand. */
export const standardPackages: ReadonlyMap<string, string> = new Map([
  ...paths.filter(path => !/\/v\d+$/.test(path)).map(path => [path.split('/').at(-1) ?? '', path] as const),
  ['assert', 'github.com/stretchr/testify/assert'],
  ['testing', 'testing'],
]);
