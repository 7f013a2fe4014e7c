// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// A wallet with code and one owner key, for tests of payers who sign through ERC-1271. Anyone may turn it hostile:
/// it then burns all the gas that the token hands on to isValidSignature.
contract SmartWallet is IERC1271 {
    address public immutable owner;
    bool public burning;

    constructor(address owner_) {
        owner = owner_;
    }

    function setBurning(bool burning_) external {
        burning = burning_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (burning) {
            assembly ("memory-safe") {
                invalid()
            }
        }
        (address signer, ECDSA.RecoverError problem, ) = ECDSA.tryRecoverCalldata(digest, signature);
        bool signed = problem == ECDSA.RecoverError.NoError && signer == owner;
        return signed ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
