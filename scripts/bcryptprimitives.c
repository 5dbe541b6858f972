/* Random bytes as Windows 10 gives them, for a Wine that lacks the library: Rust's standard library
   asks for them when a program starts. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG bytes); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T bytes)
{
    const SIZE_T most = 1 << 16;
    while (bytes > 0) {
        ULONG part = (ULONG)(bytes < most ? bytes : most);
        if (!SystemFunction036(buffer, part))
            return FALSE;
        buffer += part;
        bytes -= part;
    }
    return TRUE;
}
