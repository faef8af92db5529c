"""Fast symmetric ciphers: SM4, AES, ZUC and the ciphers they are compared with.

The shape is that of ``cryptography``: ``Cipher(algorithm, mode)`` gives contexts that encrypt
and decrypt in pieces, classes such as ``SM4GCM`` work on whole messages, and MACs are used like
``hashlib``. Whatever is registered in the library can also be reached by name: see
:func:`registry`, :class:`CipherContext`, :class:`AEADContext`, :class:`AEAD`, :class:`MAC` and
:class:`Batch`.
"""

from . import aead, air, algorithms, exceptions, mac, modes
from ._native import AEAD, MAC, AEADContext, Batch, CipherContext, level, levels, registry
from .batch import encrypt_many, open_many, seal_many, tag_many
from .ciphers import Cipher

__version__ = "0.1.0"

__all__ = [
    "AEAD",
    "MAC",
    "AEADContext",
    "Batch",
    "Cipher",
    "CipherContext",
    "aead",
    "air",
    "algorithms",
    "encrypt_many",
    "exceptions",
    "level",
    "levels",
    "mac",
    "modes",
    "open_many",
    "registry",
    "seal_many",
    "tag_many",
]
