// Replaces OpenSSL's MD5 (RFC 1321).
#pragma once

#include <cstddef>
#include <string>

constexpr int MD5_DIGEST_LENGTH = 16;

struct MD5_CTX {
  std::string message;
};

/// Writes 16 bytes to `digest`, or to static storage if it is null.
unsigned char *MD5(const unsigned char *data, std::size_t size, unsigned char *digest);
int MD5_Init(MD5_CTX *context);
int MD5_Update(MD5_CTX *context, const void *data, std::size_t size);
int MD5_Final(unsigned char *digest, MD5_CTX *context);
