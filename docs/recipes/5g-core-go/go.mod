module cipherlane.example/security

go 1.21
