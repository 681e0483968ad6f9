// MD5 as in RFC 1321, for include/openssl/md5.h.
#include "include/openssl/md5.h"
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

std::uint32_t turned_left(std::uint32_t value, int bits) { return value << bits | value >> (32 - bits); }

/// Processes a block of 64 bytes in 64 steps (section 3.4).
void mix(std::uint32_t (&state)[4], const char *block) {
  static const int shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  std::uint32_t words[16];
  std::memcpy(words, block, sizeof words);
  auto [a, b, c, d] = state;
  for (int step = 0; step < 64; step++) {
    std::uint32_t mixed;
    int word;
    switch (step / 16) {
    case 0: mixed = (b & c) | (~b & d); word = step; break;
    case 1: mixed = (d & b) | (~d & c); word = (5 * step + 1) % 16; break;
    case 2: mixed = b ^ c ^ d; word = (3 * step + 5) % 16; break;
    default: mixed = c ^ (b | ~d); word = 7 * step % 16;
    }
    auto constant = static_cast<std::uint32_t>(std::fabs(std::sin(step + 1.0)) * 4294967296.0);
    std::uint32_t turned = b + turned_left(a + mixed + constant + words[word], shifts[step / 16][step % 4]);
    a = d;
    d = c;
    c = b;
    b = turned;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

} // namespace

unsigned char *MD5(const unsigned char *data, std::size_t size, unsigned char *digest) {
  static unsigned char own[MD5_DIGEST_LENGTH];
  if (digest == nullptr) digest = own;
  std::string message(reinterpret_cast<const char *>(data), size);
  message += '\x80';
  while (message.size() % 64 != 56) message += '\0';
  std::uint64_t bits = std::uint64_t{size} * 8;
  message.append(reinterpret_cast<const char *>(&bits), sizeof bits);
  std::uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  for (std::size_t at = 0; at < message.size(); at += 64) mix(state, message.data() + at);
  std::memcpy(digest, state, MD5_DIGEST_LENGTH);
  return digest;
}

int MD5_Init(MD5_CTX *context) {
  context->message.clear();
  return 1;
}

int MD5_Update(MD5_CTX *context, const void *data, std::size_t size) {
  context->message.append(static_cast<const char *>(data), size);
  return 1;
}

int MD5_Final(unsigned char *digest, MD5_CTX *context) {
  MD5(reinterpret_cast<const unsigned char *>(context->message.data()), context->message.size(), digest);
  return 1;
}
